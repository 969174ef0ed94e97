/**
 * WAITDIE: two-phase locking in which a transaction that meets a lock waits if it is older than the holder, and aborts if
 * not (rcc, 4.3), with shared and exclusive locks.
 *
 * <p>Entry: {@link dev.rcc.protocols.waitdie.Waitdie}. Stages, in the order of a hybrid code: lock (with fetch), log, commit
 * (update and unlock), release. They are those of {@link dev.rcc.protocols.locking}. WAITDIE's own are the lock word, which
 * tells the holder's age, and the waiting list of {@link dev.rcc.protocols.waitdie.WaitdieParticipant}, which runs on the
 * event loop of the worker that is called; a coordinator that locks one-sided waits on its own coroutine.
 *
 * <p>Where the paper leaves something open or is mended:
 * <ul>
 *   <li>The paper's locks are exclusive; here a read takes its lock shared, unless users choose otherwise. The word then tells the oldest sharer's clock, so
 *       that a waiter is older than all of them, and no transaction waits for sharers that it cannot know
 *       ({@link dev.rcc.protocols.waitdie.WaitdieLayout}, with the proof that there is no deadlock;
 *       {@code WaitdieLayoutTest}).
 *   <li>Who may wait is decided again whenever the word has changed: a lock that a waiter was about to get may have gone to
 *       an older transaction, for which it must not wait ({@code WaitdieOnLocalWaitingTest}).
 *   <li>A transaction keeps its age from attempt to attempt, so the oldest one is not made to die by others for ever.
 *   <li>A one-sided release reaches no participant's code: the event loop looks at the words for which its list waits on every turn, and a
 *       coordinator looks again after a pause that grows rather than in a spin.
 *   <li>Waiters get a lock youngest first ({@link dev.rcc.protocols.waitdie.WaitingList}).
 *   <li>Every wait has an end, as a holder may have died; the list has a bound, beyond which requests fail.
 * </ul>
 */
package dev.rcc.protocols.waitdie;
