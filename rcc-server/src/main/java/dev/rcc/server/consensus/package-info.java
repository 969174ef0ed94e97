/**
 * Raft's messages on the way between nodes, and its log on a node's disk, whatever the group agrees on.
 *
 * <p>Entry: {@link dev.rcc.server.consensus.ControlRpcType}, with which a Ratis server is made whose messages are questions of the control
 * channel; {@link dev.rcc.server.consensus.Succession}, which replaces a dead leader at once; and
 * {@link dev.rcc.server.consensus.SegmentFile}, which reads a log. Never here: what a group agrees on, and its members.
 */
package dev.rcc.server.consensus;
