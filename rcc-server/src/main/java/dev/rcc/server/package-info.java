/**
 * Assembles clusters: a network, nodes, and their recovery.
 *
 * <p>Entry: {@link dev.rcc.server.EmbeddedCluster}, a whole cluster in this JVM, checked at rest by {@link dev.rcc.server.ClusterInspection}; the
 * same in virtual time, {@link dev.rcc.server.SimulatedCluster}; or {@link dev.rcc.server.NodeServer}, one node in a process of its own, whose
 * incarnations {@link dev.rcc.server.NodeHost} begins and ends. Their parts are in the packages below: {@code config}, {@code node},
 * {@code recovery} and {@code simulation}. None of these depends on this package. Never here: the logic of a protocol or a network, a step of
 * recovery, the interfaces of clients or operators.
 */
package dev.rcc.server;
