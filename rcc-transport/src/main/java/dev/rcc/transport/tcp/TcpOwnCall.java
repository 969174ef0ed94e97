package dev.rcc.transport.tcp;

import dev.rcc.core.worker.Completion;
import dev.rcc.transport.ServedCall;

/** An RPC of a worker to itself: request and reply stay where they are. Pooled. */
final class TcpOwnCall extends ServedCall {
    private final TcpEndpoint endpoint;
    private Completion completion;
    private boolean atOnce;

    TcpOwnCall(TcpEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Becomes a new call. */
    void start(int handler, long request, int bytesOfRequest, long reply, int bytesOfReply, Completion waiting) {
        setRequest(endpoint.fabric().node(), handler, endpoint.buffers(), request, bytesOfRequest);
        setResponse(endpoint.buffers(), reply, bytesOfReply);
        completion = waiting;
        begin();
    }

    /** Has the handler serve it now; a reply that it gives later is told of later. */
    void serveAtOnce() {
        atOnce = true;
        endpoint.handlers().serve(this);
        atOnce = false;
    }

    @Override
    protected void sendReply(int bytes) {
        finish(Completion.NO_PEER);
    }

    @Override
    protected void sendFailure() {
        finish(caller());
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
}
