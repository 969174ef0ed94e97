/**
 * Raft's messages on the way between nodes, whatever the group agrees on.
 *
 * <p>Entry: {@link dev.rcc.server.consensus.ControlRpcType}, with which a Ratis server is made whose messages are questions of the control
 * channel, and {@link dev.rcc.server.consensus.Succession}, which replaces a dead leader at once. Never here: what a group agrees on, and
 * its members.
 */
package dev.rcc.server.consensus;
