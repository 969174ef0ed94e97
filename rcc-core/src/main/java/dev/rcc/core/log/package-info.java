/**
 * What replication says about a transaction, whatever way it goes: the entry of its writes, and the replay of entries into copies.
 *
 * <p>Entry: {@link dev.rcc.core.log.LogEntry}, which draws the bytes, and {@link dev.rcc.core.log.ReplicaWriter}, which replays them into a
 * backup's copies. Where entries lie and how they travel is never decided here.
 */
package dev.rcc.core.log;
