package dev.rcc.protocols.sundial;

import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.protocols.common.ReadBound;
import dev.rcc.protocols.optimistic.LockTime;
import dev.rcc.protocols.optimistic.OptimisticCoordinator;
import dev.rcc.protocols.optimistic.ReadEntry;
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
    /** The number of reads that are valid until {@code leasedUntil}. */
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

    /** All writes are locked, so the commit timestamp is known, unless the procedure accesses more keys. */
    @Override
    protected boolean prepare() {
        if (!renewsEarly || reads.size() == 0) {
            return true;
        }
        long commitTs = earliestCommit(true);
        return commitTs > SundialLayout.MAX_TIME || renew(commitTs); // past the end of logical time: finish() aborts
    }

    /**
     * A written record is locked in the end, if it was not locked when it was accessed: the version that was read is compared when the record, or the
     * leaf of the key that had none, is locked, and its lease ends then.
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
        // The leases of the locked tuples and leaves are frozen, so this time stays after all of them.
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
                stages.release(); // a record locked in vain may be leased until the commit timestamp from then on
            }
            return Outcome.COMMITTED;
        }
        return logAndCommit();
    }

    /**
     * Afterwards all reads that are not written are valid at {@code commitTs}, and no other transaction will write them at or before it; or the
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
     * @param writesAll whether all locked tuples and leaves count, as it is not known yet which of them will be written
     */
    private long earliestCommit(boolean writesAll) {
        return Math.max(Math.max(readTime(), writeTime(writesAll)), txn.minCommitTs());
    }

    /** The reads belong together if there is one time at which all of them are valid: such a time is no earlier than the last of the versions. */
    @Override
    protected AbortReason preAbortReason() {
        txn.buffer().reset(); // nothing in it is needed, and renewing takes room
        return stages.preAbort(readTime());
    }

    @Override
    public long latestCommitTs(long clusterNanos) {
        return SundialLayout.latestTime(clusterNanos);
    }

    /** The first time at which all versions that were read have been written. */
    private long readTime() {
        long time = SundialLayout.BIRTH;
        for (int i = 0; i < reads.size(); i++) {
            time = Math.max(time, firstTime(reads.entry(i)));
        }
        return time;
    }

    /**
     * The first time at which a read holds. A record that is to be written blindly may have changed until it was locked, or come and gone: that it
     * exists holds from the version on that was locked.
     */
    private static long firstTime(ReadEntry read) {
        return read.isKept() ? read.access().replacedVersion() : read.version();
    }

    /** The first time at which no lease of a tuple or leaf to be written is running any more, or the beginning. */
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
