/**
 * EXCLUSIVE: two-phase locking in which no transaction shares a lock and a transaction that meets a lock aborts at once. This
 * is NOWAIT as the paper prints it (rcc, 4.2). It is a complete small protocol, the example of
 * {@code docs/new-protocol.md}; users cannot select it.
 *
 * <p>Entry: {@link dev.rcc.it.example.Exclusive}. Stages, in the order of a hybrid code: lock (with fetch), log, commit
 * (update and unlock), release. The stages are those of {@link dev.rcc.protocols.locking}. EXCLUSIVE's own are the
 * lock word and its rules. Its classes depend only on the packages that a protocol of {@code rcc-protocols} may use.
 *
 * <p>Where the paper leaves something open:
 * <ul>
 *   <li>A reader's lock does not identify its holder, since the holder drops it by a FETCH_ADD ({@link
 *       dev.rcc.it.example.ExclusiveLayout}).
 *   <li>Locks on the index's leaves protect the existence of keys. These locks are exclusive, too.
 * </ul>
 */
package dev.rcc.it.example;
