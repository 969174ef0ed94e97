/**
 * SUNDIAL: each version of a record has a logical lease, and a transaction commits at a logical time at which the leases of
 * all that it has read are running and those of all that it writes are over (Sundial, chapter 3; rcc, 4.5).
 *
 * <p>Entry: {@link dev.rcc.protocols.sundial.Sundial}. Stages, in the order of a hybrid code: fetch, lock, renew, log, commit
 * (update and unlock), release. {@link dev.rcc.protocols.sundial.Renewal} is the protocol's own; the others are in
 * {@link dev.rcc.protocols.optimistic}. The coordinator's classes run on its coroutine,
 * {@link dev.rcc.protocols.sundial.SundialParticipant} on the event loop of the worker that is called.
 *
 * <p>Where we differ from the papers, or they leave something open:
 * <ul>
 *   <li>Lock and rts share a word ({@link dev.rcc.protocols.sundial.SundialLayout}), and a renewal is a CAS of it, so it fails
 *       once any transaction has locked. As printed in rcc, it is not serializable ({@link dev.rcc.protocols.sundial.Renewal}).
 *   <li>wts is the tuple's version. It is logical time, not a clock's, and must not be shown to a
 *       {@link dev.rcc.core.time.TimestampClock}; ids and ages still are a clock's.
 *   <li>When what is written is locked is an option ({@link dev.rcc.protocols.optimistic.LockTime}): when it is accessed, as in the papers, or
 *       when the transaction commits, if it is still the version that was read (the WOCC variant; Sundial, 5.2).
 *   <li>Wait-die: the coordinator waits, in both forms, and looks again; there are no lists of waiters.
 *   <li>What is locked can be read, but for the moments in which it is being installed.
 *   <li>Which keys exist is read and written as leases of the index's leaves (Sundial, 3.4).
 *   <li>What a procedure throws on reads that do not belong together counts for nothing; see
 *       {@link dev.rcc.protocols.common.StagedCoordinator}.
 * </ul>
 */
package dev.rcc.protocols.sundial;
