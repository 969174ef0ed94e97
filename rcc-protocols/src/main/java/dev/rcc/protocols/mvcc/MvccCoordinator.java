package dev.rcc.protocols.mvcc;

import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.ReadBound;
import dev.rcc.protocols.common.StagedCoordinator;
import dev.rcc.protocols.optimistic.ReadSet;
import dev.rcc.protocols.optimistic.WriteSet;

/**
 * A transaction's course under MVCC (rcc, 4.4): fetch, execute, lock the writes, log, commit. Its timestamp is the attempt's
 * id; all that it reads is what there is just before that time, all that it writes is written at that time.
 */
final class MvccCoordinator extends StagedCoordinator {
    private final ReadSet reads;
    private final WriteSet writes;
    private final MvccStages stages;
    private final ReadBound bound;

    MvccCoordinator(WorkerContext context, Transaction txn, Mvcc protocol) {
        super(txn);
        this.reads = new ReadSet(txn);
        this.writes = new WriteSet();
        this.stages = new MvccStages(context, txn, protocol, reads, writes);
        this.bound = context.state().get(ReadBound.class);
    }

    @Override
    protected void begin() {
        reads.clear();
        writes.clear();
        stages.begin();
    }

    @Override
    protected boolean fetch() {
        return bound.cover(txn.id(), txn) && stages.fetch();
    }

    /**
     * What was read is written at the same time if it is the current version still when it is locked. The rts that reading has raised is our own time,
     * and keeps no write of ours off.
     */
    @Override
    protected boolean upgrade(Access access) {
        stages.upgrade(access);
        return true;
    }

    @Override
    protected Outcome finish() {
        boolean writesAny = stages.collect();
        if (!stages.confirm()) {
            return abandon();
        }
        if (!writesAny) {
            if (writes.holdsAny()) {
                stages.release();
            }
            return Outcome.COMMITTED; // a transaction that writes before our time what we have read has failed, or will
        }
        if (!stages.lock()) {
            return giveUp();
        }
        txn.commitTs(txn.id());
        if (!stages.log()) {
            return abandon();
        }
        stages.commit(); // decided: should a participant be gone, its backups have the log
        return Outcome.COMMITTED;
    }

    @Override
    protected AbortReason preAbortReason() {
        txn.buffer().reset(); // confirming takes less room than fetching took: it cannot fail
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
}
