package dev.rcc.protocols.sundial;

import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.protocols.common.ReadBound;
import dev.rcc.protocols.optimistic.LockTime;
import dev.rcc.protocols.optimistic.OptimisticCoordinator;
import dev.rcc.protocols.optimistic.StageContext;
import dev.rcc.protocols.optimistic.WriteEntry;
import dev.rcc.protocols.optimistic.WriteLeaf;

/**
 * A transaction's course under SUNDIAL (rcc, 4.5): fetch, execute, lock the writes, find the commit timestamp, renew the
 * leases of the reads that do not last until then, log, commit.
 */
final class SundialCoordinator extends OptimisticCoordinator<SundialStages> {
    private final ReadBound bound;
    private final boolean renewsEarly;
    /** So many of what was read is valid until then. */
    private int leased;

    private long leasedUntil;

    SundialCoordinator(Sundial protocol, StageContext context) {
        super(context, new SundialStages(protocol, context));
        this.bound = context.worker().state().get(ReadBound.class);
        SundialOptions options = protocol.chosen();
        this.renewsEarly = options.renewsEarly() && options.lockTime() == LockTime.ACCESS;
    }

    @Override
    protected void begin() {
        super.begin();
        leased = 0;
        leasedUntil = SundialLayout.BIRTH;
    }

    /** What is written is locked, so the commit timestamp is known, unless the procedure comes to access more. */
    @Override
    protected boolean prepare() {
        if (!renewsEarly || reads.size() == 0) {
            return true;
        }
        long commitTs = earliestCommit(true);
        return commitTs > SundialLayout.MAX_TIME || renew(commitTs); // too late for all time: the end says so
    }

    /**
     * What is written is locked in the end, if it was not when it was accessed: the version that was read is compared when the record, or the leaf of
     * the key that had none, is locked, and its lease ends then.
     */
    @Override
    protected boolean upgrade(Access access) {
        stages.upgrade();
        return true;
    }

    @Override
    protected Outcome finish() {
        if (!stages.lock()) {
            return giveUp();
        }
        boolean writesAny = writes.markWritten();
        // The leases of what we have locked are frozen, so this is after all of them, for good.
        long commitTs = earliestCommit(false);
        if (commitTs > SundialLayout.MAX_TIME) {
            txn.abort(Sundial.LOGICAL_TIME_EXHAUSTED);
            return abandon();
        }
        if (!renew(commitTs)) {
            return abandon();
        }
        txn.commitTs(commitTs);
        if (!writesAny) {
            if (writes.holdsAny()) {
                stages.release(); // what was locked in vain may be leased until the commit timestamp from then on
            }
            return Outcome.COMMITTED;
        }
        return logAndCommit();
    }

    /**
     * Afterwards all that was read and is not written is valid at {@code commitTs}, and no other transaction will write it at that or before; or the
     * attempt must abort.
     */
    private boolean renew(long commitTs) {
        if (reads.size() > leased || commitTs > leasedUntil) {
            if (!bound.cover(commitTs, txn) || !stages.renew(commitTs)) {
                return false;
            }
            leased = reads.size();
            leasedUntil = commitTs;
        }
        return true;
    }

    /**
     * The first time at which the attempt can commit.
     *
     * @param writesAll whether it goes by all that is locked, as nobody knows yet what of that will be written
     */
    private long earliestCommit(boolean writesAll) {
        return Math.max(Math.max(readTime(), writeTime(writesAll)), txn.minCommitTs());
    }

    /** The reads belong together if there is one time at which all of them are valid: then no earlier than the last of them. */
    @Override
    protected AbortReason preAbortReason() {
        txn.buffer().reset(); // renewing takes less room than fetching took: it cannot fail
        return stages.preAbort(readTime());
    }

    @Override
    public long latestCommitTs(long clusterNanos) {
        return SundialLayout.latestTime(clusterNanos);
    }

    /** The first time at which all that was read has been written. */
    private long readTime() {
        long time = SundialLayout.BIRTH;
        for (int i = 0; i < reads.size(); i++) {
            time = Math.max(time, reads.entry(i).version());
        }
        return time;
    }

    /** The first time at which no lease of what is to be written is running any more, or the beginning. */
    private long writeTime(boolean writesAll) {
        long time = SundialLayout.BIRTH;
        for (int i = 0; i < writes.size(); i++) {
            WriteEntry entry = writes.entry(i);
            if (writesAll ? entry.isHeld() : entry.access().isWrite()) {
                time = Math.max(
                        time,
                        1 + SundialLayout.leaseEnd(entry.held(), entry.access().replacedVersion()));
            }
        }
        for (int i = 0; i < writes.leaves(); i++) {
            WriteLeaf leaf = writes.leaf(i);
            if (writesAll ? leaf.isHeld() : leaf.isWritten()) {
                time = Math.max(time, 1 + SundialLayout.leaseEnd(leaf.held(), leaf.version()));
            }
        }
        return time;
    }
}
