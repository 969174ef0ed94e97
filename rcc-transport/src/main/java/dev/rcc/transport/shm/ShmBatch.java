package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.DirectBatch;

/** A doorbell batch on mapped memory of a peer. */
final class ShmBatch extends DirectBatch {
    private final ShmEndpoint endpoint;
    /** The connection that the batch goes over, to one incarnation of the peer; null until the batch is posted. */
    private ShmConnection connection;

    ShmBatch(ShmEndpoint endpoint, Memory buffers) {
        super(buffers, endpoint.counters());
        this.endpoint = endpoint;
    }

    /** Takes the batch out of the pool. */
    ShmBatch start(int toPeer) {
        open(toPeer);
        return this;
    }

    @Override
    public void post(Completion completion) {
        endpoint.posted().post(this, completion);
    }

    @Override
    public void postWarm(Completion completion) {
        endpoint.posted().carryOutNow(this, completion);
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
