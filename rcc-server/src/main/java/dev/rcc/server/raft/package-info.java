/**
 * Replication by Raft: each partition is a group of its copies, and a transaction is decided when each group whose partition it writes has
 * its entry in a majority of logs.
 *
 * <p>Entry: {@link dev.rcc.server.raft.RaftReplication}. A node has a {@link dev.rcc.server.raft.RaftNode}, with the groups of the present
 * configuration; a coordinator's {@link dev.rcc.server.raft.RaftStage} calls the leaders of groups, where a
 * {@link dev.rcc.server.raft.Proposer} puts the commands of many workers into one entry of the log; and on each copy a
 * {@link dev.rcc.server.raft.PartitionState} takes the entries that a majority has. The groups are Apache Ratis's.
 *
 * <p>No protocol is known here, and the members of the cluster are decided elsewhere.
 */
package dev.rcc.server.raft;
