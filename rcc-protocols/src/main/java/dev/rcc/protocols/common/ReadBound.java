package dev.rcc.protocols.common;

import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;

/**
 * The largest timestamp at which this worker's transactions may have read anything, as all nodes know it. Under protocols that
 * mark in a tuple until when it was read, the marks of a primary die with it; the node that takes its place goes by the bounds of all
 * workers (Sundial, 3.5). A bound is announced ahead, so that it costs a round trip once in a while. Where dead nodes are not replaced nothing is announced. One for all coroutines of a worker.
 */
public final class ReadBound {
    private static final long LOOK_NANOS = 5_000;

    private final WorkerContext context;
    private final long step;
    private long announced;
    private boolean announcing;

    /** The bound of a worker, announced {@code step} further than is needed. */
    public ReadBound(WorkerContext context, long step) {
        this.context = context;
        this.step = step;
    }

    /**
     * Sees to it that the bound is no less than {@code timestamp}; may wait.
     *
     * @return false if some node did not hear of it: the transaction must abort, with the reason set
     */
    public boolean cover(long timestamp, Transaction txn) {
        if (!context.gate().isReconfigured()) {
            return true;
        }
        while (isBeyond(timestamp) && announcing) {
            txn.coroutine().sleep(LOOK_NANOS);
        }
        return !isBeyond(timestamp) || announce(timestamp + step, txn);
    }

    private boolean isBeyond(long timestamp) {
        return Long.compareUnsigned(timestamp, announced) > 0;
    }

    /** One at a time: of two WRITEs on their way the smaller could be the last. */
    private boolean announce(long bound, Transaction txn) {
        announcing = true;
        context.replication().announceReadBound(context, bound, txn.completion());
        boolean heard = txn.completion().await();
        if (heard) {
            announced = bound;
        } else {
            txn.abort(AbortReason.PEER_UNREACHABLE);
        }
        announcing = false;
        return heard;
    }
}
