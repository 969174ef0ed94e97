/**
 * The network as a protocol sees it: registered regions, doorbell batches of one-sided work requests, and RPC.
 *
 * <p>Entry: {@link dev.rcc.core.fabric.Fabric}, and {@link dev.rcc.core.fabric.Endpoint} for one worker. Networks
 * implement these interfaces in modules of their own; what a particular network needs never shows here.
 *
 * <p>What a protocol may rely on:
 * <ul>
 *   <li>Within one {@link dev.rcc.core.fabric.Batch}, WRITEs, CASs and FETCH_ADDs take effect in the order of appending. A READ
 *       sees what those before it did, and nothing of what those behind it do. <b>READs among themselves have no order</b>, though
 *       they follow each other in a batch: the later one may find what is older. Who needs an order puts an atomic before a READ,
 *       or posts it when the first has completed. Between batches, even to the same peer, there is no order until the first has
 *       completed.
 *   <li>A READ or WRITE of 8 aligned bytes is atomic; a larger one is not and can be seen, or can see, half done: its bytes come in
 *       any order. But the aligned words of a READ that lie in the cache line (64 bytes) where it begins are read at once or in
 *       ascending order.
 *   <li>A WRITE or atomic behind a READ of its batch may wait a round trip for that. So stages append atomics first.
 *   <li>A remote CAS or FETCH_ADD is atomic against other remote atomics; whether also against the owner's CPU is what
 *       {@link dev.rcc.core.fabric.Atomicity} says.
 *   <li>What this node's CPU wrote before it posted is visible to a peer that learns of the post's effects. To order an
 *       own write before a READ that is posted afterwards takes more than a release: a volatile write or a CAS.
 *   <li>Everything that was posted completes. A peer that is gone completes it as unreachable; whether the operations
 *       took effect is then unknown.
 *   <li>What has failed takes no effect any more once something that the same endpoint posted to the same peer later has succeeded:
 *       a network must not begin a new connection before the end of the old one. So who looks, after a failure, sees what there will be.
 * </ul>
 */
package dev.rcc.core.fabric;
