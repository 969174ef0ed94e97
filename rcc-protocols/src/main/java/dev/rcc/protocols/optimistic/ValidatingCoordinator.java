package dev.rcc.protocols.optimistic;

import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;

/** A transaction's course under OCC (rcc, 4.1): fetch, execute, lock the writes, validate the reads, log, commit. */
public class ValidatingCoordinator<S extends ValidatingStages> extends OptimisticCoordinator<S> {
    /** The coordinator of a coroutine's transaction. */
    public ValidatingCoordinator(StageContext context, S stages) {
        super(context, stages);
    }

    /** All writes are locked in the end: the version that was read is compared when the record, or the leaf of the key that had none, is locked. */
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
        return logAndCommit();
    }

    @Override
    protected AbortReason preAbortReason() {
        txn.buffer().reset(); // nothing in it is needed, and validating takes room
        return stages.preAbortReason();
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
