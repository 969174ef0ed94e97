package dev.rcc.protocols.locking;

import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.StagedCoordinator;

/** A transaction's course (rcc, 4.2 and 4.3): lock and fetch, execute, log, commit; when it must abort, release. */
final class LockingCoordinator extends StagedCoordinator {
    private final LockRules rules;
    private final HeldLocks locks;
    private final LockingStages stages;

    LockingCoordinator(WorkerContext context, Transaction txn, LockRules rules, LockingOptions options) {
        super(txn, context.gate());
        this.rules = rules;
        this.locks = new HeldLocks(txn);
        this.stages = new LockingStages(context, txn, rules, options, locks);
    }

    @Override
    protected void begin() {
        locks.begin(rules.owner(txn));
        stages.begin();
    }

    @Override
    protected boolean fetch() {
        return stages.lock();
    }

    @Override
    protected Outcome finish() {
        AbortReason overdue = rules.overdue(txn);
        if (overdue != null) {
            txn.abort(overdue);
            return abandon();
        }
        if (!markWrites()) {
            stages.release();
            return Outcome.COMMITTED;
        }
        txn.commitTs(txn.clock().next()); // all locks are held, all versions observed: greater than all of these
        if (!stages.log()) {
            return abandon();
        }
        return commitDecided();
    }

    @Override
    protected void commit() {
        stages.commit();
    }

    @Override
    protected Outcome abandon() {
        for (int i = 0; i < locks.leaves(); i++) {
            locks.leaf(i).written = false;
        }
        txn.buffer().reset(); // nothing in it is needed, and releasing takes less than locking took: it cannot fail
        stages.release();
        return Outcome.ABORTED;
    }

    /** Notes which leaves the writes change, nudges the clock past every version met, and returns whether there is a write. */
    private boolean markWrites() {
        boolean writes = false;
        for (int i = 0; i < locks.size(); i++) {
            Access access = locks.entry(i).access();
            txn.clock().observe(access.replacedVersion());
            if (!access.exists()) {
                access.leafVersion(locks.leafOf(access).version());
            }
            if (access.isWrite()) {
                writes = true;
                switch (access.intent()) {
                    case INSERT, DELETE -> writeLeaf(access);
                    case UPDATE, WRITE, READ -> {}
                }
            }
        }
        return writes;
    }

    private void writeLeaf(Access access) {
        SharableLeaf leaf = locks.leafOf(access);
        assert leaf.mode == LockMode.EXCLUSIVE : leaf.mode;
        leaf.written = true;
        access.leafVersion(leaf.version());
        txn.clock().observe(leaf.version());
    }
}
