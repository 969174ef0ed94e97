package dev.rcc.protocols.optimistic;

import dev.rcc.core.txn.Outcome;
import dev.rcc.protocols.common.StagedCoordinator;

/**
 * The common course of all transactions that buffer their writes until they commit (rcc, 4.1): how an attempt begins, and how it ends.
 */
public abstract class OptimisticCoordinator<S extends Stages> extends StagedCoordinator {
    /** The attempt's reads. */
    protected final ReadSet reads;
    /** The attempt's writes. */
    protected final WriteSet writes;
    /** The stages, which fill the sets and carry out their entries. */
    protected final S stages;

    /** The coordinator of a coroutine's transaction. */
    protected OptimisticCoordinator(StageContext context, S stages) {
        super(context.txn(), context.worker().gate());
        this.reads = context.reads();
        this.writes = context.writes();
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
        boolean fetched = true;
        while (fetched && reads.size() < txn.size()) {
            fetched = stages.fetch();
        }
        return fetched;
    }

    /** Ends an attempt that may commit: all its reads hold, and all its writes are locked. */
    protected final Outcome logAndCommit() {
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
        if (!writes.isEmpty()) {
            txn.buffer().reset(); // nothing in it is needed, and releasing has room then: locking has checked that
            stages.release();
        }
        return Outcome.ABORTED;
    }
}
