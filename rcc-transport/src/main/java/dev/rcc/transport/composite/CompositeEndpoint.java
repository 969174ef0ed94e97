package dev.rcc.transport.composite;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.worker.Completion;

/** A worker's access to all peers: its endpoints on both networks, each of which the worker polls by itself. */
final class CompositeEndpoint implements Endpoint {
    private final Endpoint near;
    private final Endpoint far;
    private final Endpoint[] byPeer;

    /** Goes to each peer by the endpoint in {@code byPeer}, which is one of the two. */
    CompositeEndpoint(Endpoint near, Endpoint far, Endpoint[] byPeer) {
        this.near = near;
        this.far = far;
        this.byPeer = byPeer;
    }

    @Override
    public Batch batch(int peer) {
        return to(peer).batch(peer);
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
        to(peer).call(peer, rpcId, requestOffset, requestBytes, replyOffset, replyBytes, completion);
    }

    @Override
    public boolean completesAtOnce(int peer) {
        return to(peer).completesAtOnce(peer);
    }

    /** {@inheritDoc} To any peer: who asks does not know yet where a call will go. */
    @Override
    public int maxCallBytes() {
        return Math.min(near.maxCallBytes(), far.maxCallBytes());
    }

    @Override
    public void handle(int rpcId, RpcHandler handler) {
        near.handle(rpcId, handler);
        far.handle(rpcId, handler);
    }

    private Endpoint to(int peer) {
        if (peer < 0 || peer >= byPeer.length) {
            throw new IllegalArgumentException("no node " + peer + ": this network has 0 to " + (byPeer.length - 1));
        }
        return byPeer[peer];
    }
}
