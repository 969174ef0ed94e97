/**
 * What runs a node: its memory, its workers with their coroutines, and the clients on them.
 *
 * <p>Entry: {@link dev.rcc.server.node.NodeGroup}, the nodes of this process, which run on a
 * {@link dev.rcc.server.node.ClusterRuntime}: real threads or virtual time. Never here: who is a member of the cluster, what happens
 * when a node is lost, a network or a runtime of its own.
 */
package dev.rcc.server.node;
