/**
 * The form of a transaction in replication, whatever way it is sent: the entry of its writes, and the replay of entries into copies.
 *
 * <p>Entry: {@link dev.rcc.core.log.LogEntry}, which lays out the bytes, and {@link dev.rcc.core.log.ReplicaWriter}, which replays them into a
 * backup's copies. Where entries lie and how they travel is never decided here.
 */
package dev.rcc.core.log;
