/**
 * How nodes go from one configuration to the next: the steps of a {@link dev.rcc.server.recovery.Reconfiguration}, a node's part in them
 * ({@link dev.rcc.server.recovery.NodeRecovery}, or {@link dev.rcc.server.recovery.RemoteRecovery} for a node of another process, to which
 * {@link dev.rcc.server.recovery.RecoveryOrder}s travel), and what gives them to the nodes of one process
 * ({@link dev.rcc.server.recovery.Failover}).
 *
 * <p>What a node is never lives here: recovery knows a {@link dev.rcc.server.recovery.RecoverableNode}. Nor does what decides who is lost, which
 * is {@code server.membership}'s.
 */
package dev.rcc.server.recovery;
