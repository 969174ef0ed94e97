package dev.rcc.protocols.optimistic;

import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.StagedCoordinator;

/** A transaction's course under OCC (rcc, 4.1): fetch, execute, lock the writes, validate the reads, log, commit. */
public class ValidatingCoordinator extends StagedCoordinator {
    private final ReadSet reads;
    private final WriteSet writes;
    private final ValidatingStages stages;

    /** The coordinator of {@code txn}'s coroutine; {@code stages} fill the read set and the write set. */
    public ValidatingCoordinator(Transaction txn, ReadSet reads, WriteSet writes, ValidatingStages stages) {
        super(txn);
        this.reads = reads;
        this.writes = writes;
        this.stages = stages;
    }

    @Override
    protected void begin() {
        reads.clear();
        writes.clear();
        stages.begin();
    }

    @Override
    protected boolean fetch() {
        return stages.fetch();
    }

    /** All that is written is locked in the end: the version that was read is compared when the record, or the leaf of the key that had none, is locked. */
    @Override
    protected boolean upgrade(Access access) {
        return true;
    }

    @Override
    protected Outcome finish() {
        if (!stages.lock()) {
            return giveUp();
        }
        // Now no other transaction changes what we write; if no transaction has changed what we read, we stand between
        // all others here.
        if (!stages.validate()) {
            return abandon();
        }
        if (writes.isEmpty()) {
            return Outcome.COMMITTED;
        }
        observeVersions();
        txn.commitTs(txn.clock().next());
        if (!stages.log()) {
            return abandon();
        }
        stages.commit(); // decided: should a participant be gone, its backups have the log
        return Outcome.COMMITTED;
    }

    @Override
    protected AbortReason preAbortReason() {
        txn.buffer().reset(); // validating takes less room than fetching took: it cannot fail
        return stages.preAbortReason();
    }

    @Override
    protected Outcome abandon() {
        if (!writes.isEmpty()) {
            txn.buffer().reset(); // nothing in it is needed, and releasing takes less than fetching and locking took
            stages.release();
        }
        return Outcome.ABORTED;
    }

    /** Nudges the clock past every version that was read or is replaced. */
    private void observeVersions() {
        for (int i = 0; i < reads.size(); i++) {
            txn.clock().observe(reads.entry(i).version());
        }
        for (int i = 0; i < writes.size(); i++) {
            WriteEntry entry = writes.entry(i);
            txn.clock().observe(entry.access().replacedVersion());
            txn.clock().observe(entry.access().leafVersion());
        }
    }
}
