package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;
import dev.rcc.transport.PostedBatch;

/** A doorbell batch on mapped memory of a peer. */
final class ShmBatch extends PostedBatch {
    private final ShmEndpoint endpoint;
    /** The connection that the batch goes over, to one incarnation of the peer; null until the batch is posted. */
    private ShmConnection connection;

    ShmBatch(ShmEndpoint endpoint, Memory buffers) {
        super(buffers, endpoint.counters(), endpoint.posted());
        this.endpoint = endpoint;
    }

    /** Takes the batch out of the pool. */
    ShmBatch start(int toPeer) {
        open(toPeer);
        return this;
    }

    @Override
    protected Memory[] reach() {
        ShmConnection now = endpoint.reach(peer());
        if (connection == null) {
            connection = now;
        }
        return now == null || now != connection ? null : now.regions();
    }

    @Override
    protected void recycle() {
        connection = null;
        endpoint.recycle(this);
    }
}
