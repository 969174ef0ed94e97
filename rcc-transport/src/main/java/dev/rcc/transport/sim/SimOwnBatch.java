package dev.rcc.transport.sim;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.DirectBatch;

/** A batch to the own node of a worker that reaches its memory without the NIC. It takes effect at once, and takes only the worker's time. */
final class SimOwnBatch extends DirectBatch {
    private final SimEndpoint endpoint;

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
    protected Memory[] reach() {
        SimFabric own = endpoint.reach(peer());
        if (own == null) {
            return null;
        }
        endpoint.worker().charge(size * endpoint.network().costs().cpu().memoryNanos());
        return own.regions();
    }

    @Override
    protected Memory[] touchable() {
        return null;
    }

    @Override
    protected void recycle() {
        endpoint.recycle(this);
    }

    @Override
    protected void complete(Completion completion, int failedPeer) {
        if (failedPeer == Completion.NO_PEER && changesMemory()) {
            endpoint.fabric().memoryChanged();
        }
        endpoint.worker().add(() -> {
            if (failedPeer == Completion.NO_PEER) {
                completion.succeed();
            } else {
                completion.fail(failedPeer);
            }
        });
    }

    private boolean changesMemory() {
        boolean changes = false;
        for (int i = 0; i < size; i++) {
            changes |= opcodes[i] != READ;
        }
        return changes;
    }
}
