/**
 * Where protocol, network, store and replication meet: the wiring of nodes.
 *
 * <p>Entry: {@link dev.rcc.server.EmbeddedCluster}, a whole cluster in this JVM, configured by
 * {@link dev.rcc.server.ClusterConfig} and judged at rest by {@link dev.rcc.server.ClusterInspection}; or the same in
 * virtual time, {@link dev.rcc.server.SimulatedCluster}. No protocol's
 * logic and no network's lives here.
 */
package dev.rcc.server;
