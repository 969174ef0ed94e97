/**
 * SUNDIAL: each version of a record has a logical lease, and a transaction commits at a logical time at which the leases of all its reads are
 * running and the leases of all its writes are over (Sundial, chapter 3; rcc, 4.5).
 *
 * <p>Entry: {@link dev.rcc.protocols.sundial.Sundial}. Stages, in the order of a hybrid code: fetch, lock, renew, log, commit
 * (update and unlock), release. {@link dev.rcc.protocols.sundial.Renewal} is the protocol's own; the others are in
 * {@link dev.rcc.protocols.optimistic}. The coordinator's classes run on its coroutine,
 * {@link dev.rcc.protocols.sundial.SundialParticipant} on the event loop of the worker that is called.
 *
 * <p>Differences from the papers, and decisions where they leave something open:
 * <ul>
 *   <li>Lock and rts share a word ({@link dev.rcc.protocols.sundial.SundialLayout}), and a renewal is a CAS of it, so it fails
 *       once any transaction has locked. As printed in rcc, it is not serializable ({@link dev.rcc.protocols.sundial.Renewal}).
 *   <li>wts is the tuple's version. It is logical time, not a clock's, and must not be shown to a
 *       {@link dev.rcc.core.time.TimestampClock}; ids and ages still are a clock's.
 *   <li>The time at which written records are locked is an option ({@link dev.rcc.protocols.optimistic.LockTime}): when they are accessed, as
 *       in the papers, or when the transaction commits, if they still have the version that was read (the WOCC variant; Sundial, 5.2).
 *   <li>Wait-die: the coordinator waits, in both forms, and looks again; there are no lists of waiters.
 *   <li>Locked records can be read, except while they are being installed.
 *   <li>The existence of keys is read and written through leases of the index's leaves (Sundial, 3.4).
 *   <li>An exception of a procedure on reads that do not belong together counts for nothing; see
 *       {@link dev.rcc.protocols.common.StagedCoordinator}.
 * </ul>
 */
package dev.rcc.protocols.sundial;
