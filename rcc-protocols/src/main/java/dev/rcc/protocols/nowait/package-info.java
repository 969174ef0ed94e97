/**
 * NOWAIT: two-phase locking in which a transaction that meets a conflicting lock aborts at once (rcc, 4.2), with shared and
 * exclusive locks.
 *
 * <p>Entry: {@link dev.rcc.protocols.nowait.Nowait}. Stages, in the order of a hybrid code: lock (with fetch), log, commit
 * (update and unlock), release. The stages are those of {@link dev.rcc.protocols.locking}. NOWAIT's own are the lock word
 * and the rule that a conflict aborts.
 *
 * <p>Where the paper leaves something open:
 * <ul>
 *   <li>The paper's locks are exclusive; here a read takes its lock shared, as in RedT's No-Wait (RedT, 4.2.1), or exclusive, if
 *       users choose that.
 *   <li>The release stage drops all locks when a transaction aborts. When a transaction commits, the stage drops the shared
 *       locks of its reads, together with the commit stage, in one round trip.
 *   <li>Locks on the index's leaves protect the existence of keys ({@link dev.rcc.core.store.TableLayout}): shared for
 *       a key that was not found, exclusive for an insert or delete.
 *   <li>A write's version is a commit timestamp, drawn while all locks are held. It is greater than every version
 *       that the transaction has met, so the versions of each key grow.
 * </ul>
 */
package dev.rcc.protocols.nowait;
