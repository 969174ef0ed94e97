package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.worker.Completion;
import java.util.function.UnaryOperator;

/** An endpoint that delegates everything; a test replaces its batches, or overrides some of it. */
class DelegatingEndpoint implements Endpoint {
    private final Endpoint endpoint;
    private final UnaryOperator<Batch> batches;

    DelegatingEndpoint(Endpoint endpoint, UnaryOperator<Batch> batches) {
        this.endpoint = endpoint;
        this.batches = batches;
    }

    @Override
    public Batch batch(int peer) {
        return batches.apply(endpoint.batch(peer));
    }

    @Override
    public void call(
            int peer,
            int rpcId,
            long requestOffset,
            int requestBytes,
            long replyOffset,
            int replyBytes,
            Completion completion) {
        endpoint.call(peer, rpcId, requestOffset, requestBytes, replyOffset, replyBytes, completion);
    }

    @Override
    public boolean completesAtOnce(int peer) {
        return endpoint.completesAtOnce(peer);
    }

    @Override
    public int maxCallBytes() {
        return endpoint.maxCallBytes();
    }

    @Override
    public void handle(int rpcId, RpcHandler handler) {
        endpoint.handle(rpcId, handler);
    }
}
