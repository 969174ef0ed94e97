/**
 * NOWAIT: two-phase locking in which a transaction that meets a lock aborts at once (rcc, 4.2), with shared and exclusive
 * locks.
 *
 * <p>Entry: {@link dev.rcc.protocols.nowait.Nowait}. Stages, in the order of a hybrid code: lock (with fetch), log, commit
 * (update and unlock), release. They are those of {@link dev.rcc.protocols.locking}; what is NOWAIT's own is the lock word,
 * and that a conflict aborts.
 *
 * <p>Where the paper leaves something open:
 * <ul>
 *   <li>The paper's locks are exclusive; here a read takes its lock shared, as in RedT's No-Wait (RedT, 4.2.1), or exclusive, if
 *       users choose so.
 *   <li>The release stage drops all locks when a transaction aborts, and the shared ones of its reads when it commits;
 *       then it runs together with the commit stage, in one round trip.
 *   <li>Which keys exist is protected by locks on the index's leaves ({@link dev.rcc.core.store.TableLayout}): shared for
 *       a key that was not found, exclusive for an insert or delete.
 *   <li>A write's version is a commit timestamp that is drawn while all locks are held and is greater than every version
 *       that the transaction has met, so the versions of each key grow.
 * </ul>
 */
package dev.rcc.protocols.nowait;
