/**
 * The data that survives a node's process, with {@code durability: disk}: a write-ahead log of the entries that the node received in its
 * log rings, as a backup, and snapshots of the copies that it backs up.
 *
 * <p>Entry: {@link dev.rcc.server.durability.WalWriter} writes the log, on a thread of its own, and
 * {@link dev.rcc.server.durability.WalReader} reads it when the node is started again. The bytes are drawn in
 * {@link dev.rcc.server.durability.WalLayout}. Files are reached through {@link dev.rcc.server.durability.Disk} only, so that tests can
 * have disks that fail.
 */
package dev.rcc.server.durability;
