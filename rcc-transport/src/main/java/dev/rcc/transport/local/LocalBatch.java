package dev.rcc.transport.local;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.DirectBatch;

/** A doorbell batch on the memory of a node in this JVM. */
final class LocalBatch extends DirectBatch {
    private final LocalEndpoint endpoint;

    /** The peer's regions when the batch was started, only to touch; the post looks them up again. */
    private Memory[] regions;

    LocalBatch(LocalEndpoint endpoint, Memory buffers) {
        super(buffers, endpoint.counters());
        this.endpoint = endpoint;
    }

    /** Takes the batch out of the pool. */
    LocalBatch start(int toPeer) {
        open(toPeer);
        regions = reach();
        return this;
    }

    @Override
    protected Memory[] reach() {
        LocalFabric target = endpoint.reach(peer());
        return target == null ? null : target.regions();
    }

    @Override
    protected Memory[] touchable() {
        return regions;
    }

    @Override
    protected void recycle() {
        endpoint.recycle(this);
    }

    @Override
    protected void complete(Completion completion, int failedPeer) {
        endpoint.complete(completion, failedPeer);
    }
}
