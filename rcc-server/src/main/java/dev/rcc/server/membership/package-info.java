/**
 * What all servers of a cluster agree on: the configuration, which is the nodes that are members, in which of their incarnations, and the
 * nodes that hold each partition. It is kept by a Raft group among the servers, Apache Ratis, whose messages take the control
 * channel.
 *
 * <p>Entry: {@link dev.rcc.server.membership.Membership}. Knows rcc-core and the control channel; how a cluster gets from one
 * configuration to the next is not its affair. Runs on threads of its own.
 */
package dev.rcc.server.membership;
