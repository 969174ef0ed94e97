/**
 * The configuration that all servers of a cluster agree on: the nodes that are members, the incarnation of each, and the nodes that hold
 * each partition. A Raft group of the servers keeps it; the group is Apache Ratis's, and its messages take the control channel.
 *
 * <p>Entry: {@link dev.rcc.server.membership.Membership}. Knows rcc-core and the control channel; how a cluster gets from one
 * configuration to the next is not part of it. Runs on threads of its own.
 */
package dev.rcc.server.membership;
