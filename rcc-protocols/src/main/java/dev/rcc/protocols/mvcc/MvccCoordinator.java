package dev.rcc.protocols.mvcc;

import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.protocols.common.ReadBound;
import dev.rcc.protocols.optimistic.OptimisticCoordinator;
import dev.rcc.protocols.optimistic.StageContext;

/**
 * A transaction's course under MVCC (rcc, 4.4): fetch, execute, lock the writes, log, commit. Its timestamp is the attempt's id; all its reads return
 * the state just before that time, and all its writes take effect at that time.
 */
final class MvccCoordinator extends OptimisticCoordinator<MvccStages> {
    private final ReadBound bound;

    MvccCoordinator(StageContext context, Mvcc protocol) {
        super(context, new MvccStages(context, protocol));
        this.bound = context.worker().state().get(ReadBound.class);
    }

    @Override
    protected boolean fetch() {
        return bound.cover(txn.id(), txn) && super.fetch();
    }

    /**
     * A record that was read may be written at the transaction's time if its version is still the current one when it is locked. The rts that reading
     * has raised is the transaction's own time, and prevents none of its writes.
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
            return Outcome.COMMITTED; // a transaction that writes one of the reads at an earlier time fails
        }
        if (!stages.lock()) {
            return giveUp();
        }
        txn.commitTs(txn.id());
        return logAndCommit();
    }

    @Override
    protected AbortReason preAbortReason() {
        txn.buffer().reset(); // nothing in it is needed, and confirming takes room
        return stages.preAbortReason();
    }
}
