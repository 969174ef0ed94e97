package dev.rcc.protocols.rings;

import dev.rcc.core.replication.LogStage;
import dev.rcc.core.replication.Replication;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.core.worker.Completion;

/** A worker's log rings: the write ends of its own, and the read ends of those that it looks after. */
public final class RingReplication implements Replication {
    private final LogTails tails;
    private final LogRings rings;

    /**
     * The rings of a worker.
     *
     * @param tails the write ends of the rings that this worker's transactions are logged to
     * @param rings the read ends: the rings on this node that the worker looks after, as a backup of others
     */
    public RingReplication(LogTails tails, LogRings rings) {
        this.tails = tails;
        this.rings = rings;
    }

    /** The write ends of the rings that this worker's transactions are logged to. */
    public LogTails tails() {
        return tails;
    }

    /** The read ends: the rings on this node that the worker looks after. */
    public LogRings rings() {
        return rings;
    }

    @Override
    public LogStage stage(WorkerSite site, Transaction txn, boolean oneSided) {
        return new RingStage(site, tails, txn, oneSided);
    }

    @Override
    public void serve(WorkerSite site, boolean oneSided) {
        RingService.serve(site, tails, rings, oneSided);
    }

    @Override
    public boolean isLost(int node) {
        return tails.isLost(node);
    }

    /** By a WRITE into the header of this worker's ring on each node. */
    @Override
    public void announceReadBound(WorkerSite site, long bound, Completion completion) {
        for (int node = 0; node < site.catalog().placement().nodes(); node++) {
            if (!tails.isLost(node)) {
                site.endpoint()
                        .batch(node)
                        .writeWord(bound, tails.boundAddress(tails.tail(node)))
                        .post(completion);
            }
        }
    }
}
