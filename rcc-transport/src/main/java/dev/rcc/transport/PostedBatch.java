package dev.rcc.transport;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;

/** A doorbell batch that the worker carries out at its next poll, or at once if the coroutine asks for that ({@link PostedBatches}). */
public abstract class PostedBatch extends DirectBatch {
    private final PostedBatches posted;

    /** A batch whose local offsets refer to {@code buffers}. */
    protected PostedBatch(Memory buffers, WorkerCounters counters, PostedBatches posted) {
        super(buffers, counters);
        this.posted = posted;
    }

    @Override
    public final void post(Completion completion) {
        posted.post(this, completion);
    }

    @Override
    public final void postAtOnce(Completion completion) {
        posted.carryOutNow(this, completion);
    }
}
