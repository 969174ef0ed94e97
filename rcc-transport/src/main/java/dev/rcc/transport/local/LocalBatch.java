package dev.rcc.transport.local;

import dev.rcc.core.memory.Memory;
import dev.rcc.transport.PostedBatch;

/** A doorbell batch on the memory of a node in this JVM. */
final class LocalBatch extends PostedBatch {
    private final LocalEndpoint endpoint;
    /** The incarnation of the peer that the batch goes to; null until the batch is posted. */
    private LocalFabric target;

    LocalBatch(LocalEndpoint endpoint, Memory buffers) {
        super(buffers, endpoint.counters(), endpoint.posted());
        this.endpoint = endpoint;
    }

    /** Takes the batch out of the pool. */
    LocalBatch start(int toPeer) {
        open(toPeer);
        return this;
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
