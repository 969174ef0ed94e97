package dev.rcc.transport.local;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.DirectBatch;

/** A doorbell batch on the memory of a node in this JVM. */
final class LocalBatch extends DirectBatch {
    private final LocalEndpoint endpoint;
    /** The incarnation of the peer that the batch goes to; null until the batch is posted. */
    private LocalFabric target;

    LocalBatch(LocalEndpoint endpoint, Memory buffers) {
        super(buffers, endpoint.counters());
        this.endpoint = endpoint;
    }

    /** Takes the batch out of the pool. */
    LocalBatch start(int toPeer) {
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
        LocalFabric now = endpoint.reach(peer());
        if (target == null) {
            target = now;
        }
        return now == null || now != target ? null : now.regions();
    }

    @Override
    protected void recycle() {
        target = null;
        endpoint.recycle(this);
    }
}
