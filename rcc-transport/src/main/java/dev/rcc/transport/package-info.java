/**
 * What the networks share: the recording of a doorbell batch's work requests ({@link dev.rcc.transport.RecordedBatch}) and
 * carrying them out on memory that this process can touch ({@link dev.rcc.transport.DirectBatch}), completions that wait for
 * the next poll ({@link dev.rcc.transport.PolledCompletions}), what a worker asks of its own node ({@link
 * dev.rcc.transport.Loopback}), the RPC handlers of an endpoint
 * ({@link dev.rcc.transport.RpcHandlers}) and the calls that they serve ({@link dev.rcc.transport.ServedCall}), and when a link to
 * a peer is made and ends ({@link dev.rcc.transport.PeerLinks}). Each network has a package of its own below, and knows no other.
 *
 * <p>Nothing here knows a particular network. Everything belongs to the worker of its endpoint, but for the links and
 * {@link dev.rcc.transport.PeerGates}, which belong to a node.
 */
package dev.rcc.transport;
