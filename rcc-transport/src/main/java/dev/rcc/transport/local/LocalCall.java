package dev.rcc.transport.local;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.ServedRequest;

/**
 * One RPC, from the call to the reply. It belongs to one worker at a time: to the caller's until it is handed over, to
 * the server's until it is handed back; the inboxes in between order all plain accesses. Request and reply are where
 * the caller wants them, in its own buffers.
 *
 * <pre>
 *             call            served by a handler        reply or failure        received
 *   (pool) ---------&gt; SENT ------------------&gt; SERVING -----------------&gt; REPLIED ---------&gt; (pool)
 *                       \________ abandoned: the peer has stopped _________/
 * </pre>
 *
 * <p>An abandoned call is never used again, since the stopped peer may still have it, or have handed it back.
 */
final class LocalCall implements ServedRequest {
    private static final byte SENT = 1;
    private static final byte SERVING = 2;
    private static final byte REPLIED = 3;

    /** Where the caller keeps it among all its calls. */
    final int slot;

    /** Links the calls that travel together. */
    LocalCall next;

    /** Told when the reply is there. Caller's side. */
    Completion completion;

    /** Whether the caller still waits: false in the pool, and for ever once abandoned. Caller's side. */
    boolean outstanding;

    private final LocalEndpoint caller;
    private final Memory buffers;
    private LocalEndpoint server;
    private long requestOffset;
    private long replyOffset;
    private int requestBytes;
    private int replyBytes;
    private int peer;
    private int rpcId;
    private byte state;
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
        failed = false;
        state = SENT;
    }

    /** Whether the node that calls has stopped. */
    boolean isOfStoppedCaller() {
        return caller.fabric().isStopped();
    }

    /** Says where the request is and where the reply goes. */
    void place(long request, int bytesOfRequest, long reply, int bytesOfReply) {
        requestOffset = request;
        requestBytes = bytesOfRequest;
        replyOffset = reply;
        replyBytes = bytesOfReply;
    }

    int peer() {
        return peer;
    }

    LocalEndpoint server() {
        return server;
    }

    @Override
    public int rpcId() {
        return rpcId;
    }

    boolean isReplied() {
        return state == REPLIED;
    }

    boolean isFailed() {
        return failed;
    }

    /** A handler takes it. */
    void serve() {
        assert state == SENT : "state " + state;
        state = SERVING;
    }

    /** Sends it back without a reply, unless a reply is on its way. Server's side. */
    @Override
    public void fail() {
        if (state == SERVING) {
            failed = true;
            sendBack();
        }
    }

    @Override
    public int caller() {
        return caller.fabric().node();
    }

    @Override
    public Memory payload() {
        return buffers;
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
        return buffers;
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
        return state == SERVING;
    }

    @Override
    public void sendReply(int bytes) {
        sendBack();
    }

    private void sendBack() {
        state = REPLIED;
        server.send(caller, this);
    }
}
