package dev.rcc.protocols.common;

import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;

/**
 * The largest timestamp at which this worker's transactions may have read anything, as announced to all nodes. Some protocols mark in a tuple the
 * time until which it was read. The marks of a primary die with it; the node that takes its place uses the bounds of all workers (Sundial, 3.5). A
 * bound is announced ahead, so that it costs a round trip only once in a while. Where dead nodes are not replaced nothing is announced. One for all
 * coroutines of a worker.
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
     * Makes sure that the announced bound is no less than {@code timestamp}; may wait.
     *
     * @return false if some node was not reached: the transaction must abort, with the reason set
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

    /** Announces one bound at a time: of two WRITEs on their way the smaller could land last. */
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
