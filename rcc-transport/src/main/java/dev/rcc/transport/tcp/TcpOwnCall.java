package dev.rcc.transport.tcp;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.ServedRequest;

/** An RPC of a worker to itself: request and reply stay where they are. Pooled. */
final class TcpOwnCall implements ServedRequest {
    private final TcpEndpoint endpoint;
    private Completion completion;
    private int rpcId;
    private long requestOffset;
    private long replyOffset;
    private int requestBytes;
    private int replyBytes;
    private boolean atOnce;

    TcpOwnCall(TcpEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Becomes a new call. */
    void start(int handler, long request, int bytesOfRequest, long reply, int bytesOfReply, Completion waiting) {
        rpcId = handler;
        requestOffset = request;
        requestBytes = bytesOfRequest;
        replyOffset = reply;
        replyBytes = bytesOfReply;
        completion = waiting;
    }

    @Override
    public int rpcId() {
        return rpcId;
    }

    /** Ends it without a reply, unless it has one. */
    @Override
    public void fail() {
        if (completion != null) {
            finish(caller());
        }
    }

    /** Has the handler serve it now; a reply that it gives later is told of later. */
    void serveAtOnce() {
        atOnce = true;
        endpoint.handlers().serve(this);
        atOnce = false;
    }

    private void finish(int failedPeer) {
        Completion waiting = completion;
        completion = null;
        if (!atOnce) {
            endpoint.completeLater(waiting, failedPeer);
        } else if (failedPeer == Completion.NO_PEER) {
            waiting.succeed();
        } else {
            waiting.fail(failedPeer);
        }
        endpoint.recycle(this);
    }

    @Override
    public int caller() {
        return endpoint.fabric().node();
    }

    @Override
    public Memory payload() {
        return endpoint.buffers();
    }

    @Override
    public long payloadOffset() {
        return requestOffset;
    }

    @Override
    public int payloadBytes() {
        return requestBytes;
    }

    @Override
    public Memory response() {
        return endpoint.buffers();
    }

    @Override
    public long responseOffset() {
        return replyOffset;
    }

    @Override
    public int responseCapacity() {
        return replyBytes;
    }

    @Override
    public boolean isServing() {
        return completion != null;
    }

    @Override
    public void sendReply(int bytes) {
        finish(Completion.NO_PEER);
    }
}
