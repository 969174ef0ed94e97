/**
 * EXCLUSIVE: two-phase locking in which nobody shares a lock and a transaction that meets one aborts at once: NOWAIT as the
 * paper prints it (rcc, 4.2). A complete small protocol, the example of {@code docs/new-protocol.md}; users cannot pick it.
 *
 * <p>Entry: {@link dev.rcc.it.example.Exclusive}. Stages, in the order of a hybrid code: lock (with fetch), log, commit
 * (update and unlock), release. They are those of {@link dev.rcc.protocols.locking}; what is EXCLUSIVE's own is the lock
 * word. Its classes depend on what a protocol of {@code rcc-protocols} may depend on, and on nothing else.
 *
 * <p>Where the paper leaves something open:
 * <ul>
 *   <li>A reader's lock does not say whose it is, since it is dropped by a FETCH_ADD ({@link
 *       dev.rcc.it.example.ExclusiveLayout}).
 *   <li>Which keys exist is protected by locks on the index's leaves, which are exclusive, too.
 * </ul>
 */
package dev.rcc.it.example;
