/**
 * The network as a protocol sees it: registered regions, doorbell batches of one-sided work requests, and RPC.
 *
 * <p>Entry: {@link dev.rcc.core.fabric.Fabric}, and {@link dev.rcc.core.fabric.Endpoint} for one worker. Networks
 * implement these interfaces in packages of their own; the needs of a particular network never show here.
 *
 * <p>A protocol may rely on the following:
 * <ul>
 *   <li>Within one {@link dev.rcc.core.fabric.Batch}, WRITEs, CASs and FETCH_ADDs take effect in the order of appending. A READ sees all effects of
 *   those before it, and none of those behind it. <b>READs among themselves have no order</b>, even within a batch: the later READ may return an
 *   older state. A protocol that needs an order puts an atomic before a READ, or posts the READ when the first one has completed. Between batches,
 *   even to the same peer, there is no order until the first has completed.
 *   <li>A READ or WRITE of 8 aligned bytes is atomic; a larger one is not, and can be seen, or can see another one, half done: its bytes come in any
 *   order. But the aligned words of a READ that lie in the cache line (64 bytes) where it begins are read at once or in ascending order.
 *   <li>A WRITE or atomic behind a READ of its batch may wait a round trip for the READ. So stages append atomics first.
 *   <li>A remote CAS or FETCH_ADD is atomic against other remote atomics; {@link dev.rcc.core.fabric.Atomicity} states whether it is atomic against
 *   the owner's CPU, too.
 *   <li>Words that this node's CPU wrote before it posted are visible to a peer that observes the post's effects. To order such a write before a READ
 *   that is posted afterwards takes more than a release: a volatile write or a CAS.
 *   <li>Every posted request completes. If the peer is gone, it completes as unreachable; whether the operations took effect is then unknown.
 *   <li>A failed request takes no effect any more once a request that the same endpoint posted to the same peer later has succeeded: a network must
 *   not begin a new connection before the end of the old one. So a READ that succeeds after a failed batch sees the final state. Of a failed call
 *   this holds only once a later <b>call</b> has succeeded: the peer's worker may serve it after a READ, which needs no worker.
 * </ul>
 */
package dev.rcc.core.fabric;
