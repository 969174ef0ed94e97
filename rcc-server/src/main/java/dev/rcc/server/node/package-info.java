/**
 * Runs nodes: their memory, their workers with coroutines, and the clients on them.
 *
 * <p>Entry: {@link dev.rcc.server.node.NodeGroup}, the nodes of this process, which run on a {@link dev.rcc.server.node.ClusterRuntime}:
 * real threads or virtual time. Never here: the cluster's membership, the replacement of lost nodes, a network or a runtime of its own.
 */
package dev.rcc.server.node;
