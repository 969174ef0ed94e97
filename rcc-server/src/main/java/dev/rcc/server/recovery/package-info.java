/**
 * How a cluster gets from one configuration to the next, and from its disks to running nodes, and loses nothing that it has acknowledged.
 *
 * <p>The steps, which all nodes take together, are those of {@link dev.rcc.server.recovery.Reconfiguration}. A node's part is
 * {@link dev.rcc.server.recovery.NodeRecovery}. The class that leads depends on where the nodes are:
 *
 * <ul>
 *   <li>In one JVM, {@link dev.rcc.server.recovery.Failover} is notified of nodes that are lost or back, and
 *       {@link dev.rcc.server.recovery.EmbeddedRestart} has all disks.
 *   <li>Between processes, {@link dev.rcc.server.recovery.ClusterLeader} sees which nodes are lost, and
 *       {@link dev.rcc.server.recovery.NodeMembership} carries out its orders;
 *       {@link dev.rcc.server.recovery.ProcessRestart} asks the other nodes for the data on their disks.
 * </ul>
 *
 * <p>Knows nodes, disks and the configurations that the servers agree on. Never here: how they agree ({@code membership}), how a node
 * writes its disk ({@code durability}), what a log ring is, clients.
 */
package dev.rcc.server.recovery;
