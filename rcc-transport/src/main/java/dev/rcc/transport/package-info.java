/**
 * The code that the networks share: recording a doorbell batch's work requests ({@link dev.rcc.transport.RecordedBatch}) and
 * carrying them out on memory that this process can touch ({@link dev.rcc.transport.DirectBatch}), all of a turn together
 * ({@link dev.rcc.transport.PostedBatch}, {@link dev.rcc.transport.PostedBatches}), completions that wait for
 * the next poll ({@link dev.rcc.transport.PolledCompletions}), a worker's requests to its own node ({@link
 * dev.rcc.transport.Loopback}), the RPC handlers of an endpoint
 * ({@link dev.rcc.transport.RpcHandlers}) and the calls that they serve ({@link dev.rcc.transport.ServedCall}), and when a link to
 * a peer is made and ends ({@link dev.rcc.transport.PeerLinks}). Each network has its own package below, and depends on no other.
 *
 * <p>Nothing here depends on a particular network. Each object belongs to the worker of its endpoint, except the links and
 * {@link dev.rcc.transport.PeerGates}, which belong to a node.
 */
package dev.rcc.transport;
