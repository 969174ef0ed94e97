package dev.rcc.transport.tcp;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.DirectBatch;

/** A doorbell batch to this node itself. */
final class TcpOwnBatch extends DirectBatch {
    private final TcpEndpoint endpoint;

    TcpOwnBatch(TcpEndpoint endpoint, Memory buffers) {
        super(buffers, endpoint.counters());
        this.endpoint = endpoint;
    }

    /** Takes the batch out of the pool. */
    TcpOwnBatch start(int node) {
        open(node);
        return this;
    }

    @Override
    protected Memory[] reach() {
        return endpoint.fabric().isClosed() ? null : endpoint.fabric().regions();
    }

    @Override
    protected Memory[] touchable() {
        return reach();
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
