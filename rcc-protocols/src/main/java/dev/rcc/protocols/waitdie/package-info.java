/**
 * WAITDIE: two-phase locking in which a transaction that meets a lock waits if it is older than the holder, and aborts if
 * not (rcc, 4.3), with shared and exclusive locks.
 *
 * <p>Entry: {@link dev.rcc.protocols.waitdie.Waitdie}. Stages, in the order of a hybrid code: lock (with fetch), log, commit
 * (update and unlock), release. The stages are those of {@link dev.rcc.protocols.locking}. WAITDIE's own are the lock word,
 * which contains the holder's age, and the waiting list of {@link dev.rcc.protocols.waitdie.WaitdieParticipant}, which runs on
 * the event loop of the called worker. A coordinator that locks one-sided waits on its own coroutine.
 *
 * <p>Where the paper leaves something open or is corrected:
 * <ul>
 *   <li>The paper's locks are exclusive; here a read takes its lock shared, unless users choose otherwise. The word then contains the oldest
 *       sharer's clock. So a waiter is older than all sharers, and no transaction waits for sharers that it cannot know
 *       ({@link dev.rcc.protocols.waitdie.WaitdieLayout}, with the proof that there is no deadlock;
 *       {@code WaitdieLayoutTest}).
 *   <li>A waiter decides again whether it may wait whenever the word has changed: a lock that it was about to get may have
 *       gone to an older transaction, for which it must not wait ({@code WaitdieOnLocalWaitingTest}).
 *   <li>A transaction keeps its age from attempt to attempt, so other transactions cannot make the oldest one die for ever.
 *   <li>A one-sided release runs no participant's code. So on every turn the event loop reads the words for which its list waits, and a
 *       coordinator reads its word again after a pause that grows rather than in a spin.
 *   <li>Waiters get a lock youngest first ({@link dev.rcc.protocols.waitdie.WaitingList}).
 *   <li>Every wait has a time-out, as a holder may have died; the list has a bound, beyond which requests fail.
 * </ul>
 */
package dev.rcc.protocols.waitdie;
