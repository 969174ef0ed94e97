/**
 * Replication by log rings: rings in the backups' registered memory, one for each worker that coordinates transactions, into which
 * that worker writes its transactions before they commit (rcc, 4.1).
 *
 * <p>Entry: {@link dev.rcc.protocols.rings.RingReplication}. A coordinating worker has the write ends
 * ({@link dev.rcc.protocols.rings.LogTails}), a backup the read ends ({@link dev.rcc.protocols.rings.LogRings}), whose entries it replays
 * into its copies. {@link dev.rcc.protocols.rings.LogRingLayout} defines the bytes of a ring; {@code dev.rcc.core.log} defines those of
 * an entry.
 *
 * <p>This package refers to no protocol, and no protocol refers to it.
 */
package dev.rcc.protocols.rings;
