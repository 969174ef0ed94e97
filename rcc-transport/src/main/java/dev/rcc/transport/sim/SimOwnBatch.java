package dev.rcc.transport.sim;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Prefetch;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.DirectBatch;

/** A batch to the own node of a worker that reaches its memory without the NIC. It takes effect at once, and takes only the worker's time. */
final class SimOwnBatch extends DirectBatch {
    private final SimEndpoint endpoint;
    private final Prefetch prefetch = new Prefetch();

    SimOwnBatch(SimEndpoint endpoint) {
        super(endpoint.buffers(), endpoint.counters());
        this.endpoint = endpoint;
    }

    /** Takes the batch out of the pool. */
    SimOwnBatch start() {
        open(endpoint.fabric().node());
        return this;
    }

    @Override
    public void post(Completion completion) {
        boolean changes = changesMemory();
        boolean reached = carryOutNow(prefetch);
        if (reached) {
            endpoint.worker().charge(size * endpoint.network().costs().cpu().memoryNanos());
        }
        completion.add();
        if (reached && changes) {
            endpoint.fabric().memoryChanged();
        }
        int own = peer();
        endpoint.worker().add(() -> {
            if (reached) {
                completion.succeed();
            } else {
                completion.fail(own);
            }
        });
    }

    @Override
    protected Memory[] reach() {
        SimFabric own = endpoint.reach(peer());
        return own == null ? null : own.regions();
    }

    @Override
    protected void recycle() {
        endpoint.recycle(this);
    }

    private boolean changesMemory() {
        boolean changes = false;
        for (int i = 0; i < size; i++) {
            changes |= opcodes[i] != READ;
        }
        return changes;
    }
}
