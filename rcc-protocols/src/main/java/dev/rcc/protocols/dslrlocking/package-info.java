/**
 * The protocol {@code dslr}: two-phase locking with the tickets of DSLR (dslr, 4 and 5), which are first come, first served.
 *
 * <p>Entry: {@link dev.rcc.protocols.dslrlocking.DslrLocking}. Stages, in the order of a hybrid code: lock (tickets, then fetch), guard, validate, log,
 * commit (update), release.
 *
 * <ul>
 *   <li><b>lock</b>: looks up where the keys lie whose addresses the worker does not know; then draws the tickets of all tuples, and of the leaves
 *       of keys that are missing, come or go, in one round ({@link dev.rcc.protocols.locks.LockManager}); then fetches. A ticket is shared
 *       for what is read and exclusive for what is written, and is held until the transaction ends.
 *   <li><b>guard</b> and <b>validate</b>: a lease that has run out does not tell its holder, so a transaction does not commit by its tickets
 *       alone. It marks what it writes with its id, in a word of its own, and then compares the versions of all that it has read: what OCC does
 *       ({@link dev.rcc.protocols.optimistic.ValidatingCoordinator}). As long as leases hold, both find what they expect.
 *   <li><b>log</b>, <b>commit</b>, and <b>release</b> of the marks: as under OCC. Tickets are handed back afterwards, by the primitive of the lock
 *       stage: their counters can't be changed by CPUs and by NICs both.
 * </ul>
 *
 * <p>What lives here is what makes the tickets a protocol. How tickets work is in {@link dev.rcc.protocols.locks.dslr}, and never here.
 */
package dev.rcc.protocols.dslrlocking;
