/**
 * The protocol {@code dslr}: two-phase locking with the tickets of DSLR (dslr, 4 and 5), which are first come, first served.
 *
 * <p>Entry: {@link dev.rcc.protocols.dslrlocking.DslrLocking}. Stages, in the order of a hybrid code: lock (tickets, then fetch), guard, validate,
 * log, commit (update), release.
 *
 * <ul>
 *   <li><b>lock</b>: looks up the keys whose addresses are not in the worker's cache; then draws the tickets of all tuples, and of the leaves
 *       of keys that are missing, come or go, in one round ({@link dev.rcc.protocols.locks.LockManager}); then fetches. A ticket is shared
 *       for a read and exclusive for a write, and is held until the transaction ends.
 *   <li><b>guard</b> and <b>validate</b>: a holder is not notified when its lease runs out, so a transaction does not commit by its tickets
 *       alone. It marks the tuples and leaves that it writes with its id, in a word beside the tickets. Then it compares the versions of all that it
 *       has read. OCC does the same ({@link dev.rcc.protocols.optimistic.ValidatingCoordinator}). As long as leases hold, both stages
 *       find the words that they expect.
 *   <li><b>log</b>, <b>commit</b>, and <b>release</b> of the marks: as under OCC. Tickets are handed back afterwards, by the primitive of the lock
 *       stage: CPUs and NICs can't both change their counters.
 * </ul>
 *
 * <p>This package makes the tickets a protocol. How tickets work is in {@link dev.rcc.protocols.locks.dslr}, and never here.
 */
package dev.rcc.protocols.dslrlocking;
