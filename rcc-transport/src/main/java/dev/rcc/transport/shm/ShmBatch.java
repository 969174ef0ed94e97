package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.DirectBatch;

/** A doorbell batch on mapped memory of a peer. */
final class ShmBatch extends DirectBatch {
    private final ShmEndpoint endpoint;
    private ShmConnection connection;

    ShmBatch(ShmEndpoint endpoint, Memory buffers) {
        super(buffers, endpoint.counters());
        this.endpoint = endpoint;
    }

    /** Takes the batch out of the pool. */
    ShmBatch start(int toPeer) {
        open(toPeer);
        connection = endpoint.reach(toPeer);
        return this;
    }

    @Override
    protected Memory[] reach() {
        connection = endpoint.reach(peer());
        return connection == null ? null : connection.regions();
    }

    /** A peer may have gone since the batch was started, and its memory with it. */
    @Override
    protected Memory[] touchable() {
        return connection == null || connection.isDown() ? null : connection.regions();
    }

    @Override
    protected void recycle() {
        connection = null;
        endpoint.recycle(this);
    }

    @Override
    protected void complete(Completion completion, int failedPeer) {
        endpoint.complete(completion, failedPeer);
    }
}
