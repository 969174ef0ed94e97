/**
 * Where clusters are assembled: a network, nodes, and what recovers them.
 *
 * <p>Entry: {@link dev.rcc.server.EmbeddedCluster}, a whole cluster in this JVM, checked at rest by
 * {@link dev.rcc.server.ClusterInspection}; the same in virtual time, {@link dev.rcc.server.SimulatedCluster}; or
 * {@link dev.rcc.server.NodeServer}, one node in a process of its own, whose incarnations {@link dev.rcc.server.NodeHost} begins and ends. What
 * they are made of is below: {@code config}, {@code node}, {@code recovery} and {@code simulation}, none of which knows this package.
 * Never here: a protocol's logic, a network's, a step of recovery, what clients or operators see.
 */
package dev.rcc.server;
