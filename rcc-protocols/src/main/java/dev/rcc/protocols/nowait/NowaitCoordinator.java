package dev.rcc.protocols.nowait;

import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.StagedCoordinator;

/** A transaction's course under NOWAIT (rcc, 4.2): lock and fetch, execute, log, commit; on any conflict, release. */
final class NowaitCoordinator extends StagedCoordinator {
    private final HeldLocks locks;
    private final NowaitStages stages;

    NowaitCoordinator(WorkerContext context, Transaction txn) {
        super(txn);
        this.locks = new HeldLocks(txn);
        this.stages = new NowaitStages(context, txn, locks);
    }

    @Override
    protected void begin() {
        locks.clear();
        stages.begin();
    }

    @Override
    protected boolean fetch() {
        return stages.lock();
    }

    @Override
    protected Outcome finish() {
        if (!markWrites()) {
            stages.release();
            return Outcome.COMMITTED;
        }
        txn.commitTs(txn.clock().next()); // all locks are held, all versions met: greater than all that it replaces
        if (!stages.log()) {
            return abandon();
        }
        stages.commit(); // decided: should a participant be gone, its backups have the log
        return Outcome.COMMITTED;
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

    /** Notes which leaves the writes change, nudges the clock past every version met, and says if there is a write. */
    private boolean markWrites() {
        boolean writes = false;
        for (int i = 0; i < locks.requests(); i++) {
            Access access = locks.request(i).access;
            txn.clock().observe(access.replacedVersion());
            if (!access.exists()) {
                access.leafVersion(locks.leafOf(access).version);
            }
            if (access.isWrite()) {
                writes = true;
                switch (access.intent()) {
                    case INSERT, DELETE -> writeLeaf(access);
                    case UPDATE, READ -> {}
                }
            }
        }
        return writes;
    }

    private void writeLeaf(Access access) {
        LeafLock leaf = locks.leafOf(access);
        assert leaf.mode == LockMode.EXCLUSIVE : leaf.mode;
        leaf.written = true;
        access.leafVersion(leaf.version);
        txn.clock().observe(leaf.version);
    }
}
