/**
 * The redo log: rings in the backups' registered memory, one for each worker that coordinates transactions, into which
 * that worker writes its transactions before they commit (rcc, 4.1).
 *
 * <p>Entry: {@link dev.rcc.core.log.LogTails}, a coordinating worker's write ends, and
 * {@link dev.rcc.core.log.LogRings}, a backup's read ends, whose entries {@link dev.rcc.core.log.ReplicaWriter} replays
 * into the backup's copies. The bytes are drawn in {@link dev.rcc.core.log.LogRingLayout} and
 * {@link dev.rcc.core.log.LogEntry}. How the bytes travel, by RPC or one-sided, is decided by the protocols.
 */
package dev.rcc.core.log;
