package dev.rcc.core.replication;

import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.core.worker.Completion;

/**
 * The replication of a worker's writes, as a protocol sees it. A cluster has one implementation. One object for each worker, used on that worker
 * only.
 */
public interface Replication {
    /**
     * The log stage of {@code txn}'s coroutine.
     *
     * @param site the parts of the coroutine's worker
     * @param oneSided whether the stage is one-sided, or else by RPC
     */
    LogStage stage(WorkerSite site, Transaction txn, boolean oneSided);

    /**
     * Begins to serve the requests of peers to this worker, and starts its background work. Called once, before the worker runs.
     *
     * @param oneSided as for {@link #stage}
     */
    void serve(WorkerSite site, boolean oneSided);

    /** Whether a node was lost, so that nothing is logged there. */
    boolean isLost(int node);

    /**
     * Begins to announce to every node that is not lost that this worker's transactions read nothing later than {@code bound}. The bounds of this
     * worker come one after the other, each larger than the one before.
     *
     * @param completion gets a result for each node
     */
    void announceReadBound(WorkerSite site, long bound, Completion completion);
}
