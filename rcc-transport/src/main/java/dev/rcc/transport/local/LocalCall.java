package dev.rcc.transport.local;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.ServedCall;

/**
 * One RPC, from the call to the reply. It belongs to one worker at a time: to the caller's until it is handed over, to
 * the server's until it is handed back; the inboxes in between order all plain accesses. Request and reply lie in the
 * caller's own buffers.
 *
 * <pre>
 *             call            served by a handler        reply or failure        received
 *   (pool) ---------&gt; sent ------------------&gt; serving -----------------&gt; replied ---------&gt; (pool)
 *                       \________ abandoned: the peer has stopped _________/
 * </pre>
 *
 * <p>An abandoned call is never reused, since the stopped peer may still have it, or have handed it back.
 */
final class LocalCall extends ServedCall {
    /** The call's index in the caller's table of calls. */
    final int slot;

    /** Links the calls that travel together. */
    LocalCall next;

    /** Gets the result when the reply arrives. Caller's side. */
    Completion completion;

    /** Whether the caller still waits: false in the pool, and for ever once abandoned. Caller's side. */
    boolean outstanding;

    private final LocalEndpoint caller;
    private final Memory buffers;
    private LocalEndpoint server;
    private int peer;
    private int rpcId;
    private boolean replied;
    private boolean failed;

    LocalCall(LocalEndpoint caller, Memory buffers, int slot) {
        this.caller = caller;
        this.buffers = buffers;
        this.slot = slot;
    }

    /** Makes it a new call. */
    void start(int toPeer, LocalEndpoint toServer, int handler, Completion waiting) {
        peer = toPeer;
        server = toServer;
        rpcId = handler;
        completion = waiting;
        outstanding = true;
        replied = false;
        failed = false;
    }

    /** Whether the calling node has stopped. */
    boolean isOfStoppedCaller() {
        return caller.fabric().isStopped();
    }

    /** Sets where the request is and where the reply goes. */
    void place(long request, int bytesOfRequest, long reply, int bytesOfReply) {
        setRequest(caller.fabric().node(), rpcId, buffers, request, bytesOfRequest);
        setResponse(buffers, reply, bytesOfReply);
    }

    int peer() {
        return peer;
    }

    LocalEndpoint server() {
        return server;
    }

    boolean isReplied() {
        return replied;
    }

    boolean isFailed() {
        return failed;
    }

    /** Begins to serve the call by a handler. */
    void serve() {
        assert !replied : "it is on its way back";
        begin();
    }

    @Override
    protected void sendReply(int bytes) {
        sendBack();
    }

    @Override
    protected void sendFailure() {
        failed = true;
        sendBack();
    }

    private void sendBack() {
        replied = true;
        server.send(caller, this);
    }
}
