package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;

/**
 * One RPC on the caller's side, in its endpoint's table of calls. Its messages name it by slot and generation; a reply with a
 * name that is not outstanding is a peer's error. Belongs to its worker.
 */
final class ShmCall extends ShmMessage {
    private static final int GENERATION_SHIFT = 32;

    /** The call's index in the caller's table of calls. */
    final int slot;

    private final Memory buffers;
    private int generation;
    private ShmLink link;
    private Completion completion;
    private int rpcId;
    private long requestOffset;
    private int requestBytes;
    private long replyOffset;
    private int replyBytes;

    ShmCall(int slot, Memory buffers) {
        this.slot = slot;
        this.buffers = buffers;
    }

    /** The slot in a name that came from the ring; it may be any number. */
    static int slot(long name) {
        return (int) name;
    }

    /** Makes it a new call. */
    void start(ShmLink to, int handler, Completion waiting) {
        assert link == null : "in use";
        generation++;
        link = to;
        rpcId = handler;
        completion = waiting;
    }

    /** Sets where the request is and where the reply goes. */
    void place(long request, int bytesOfRequest, long reply, int bytesOfReply) {
        requestOffset = request;
        requestBytes = bytesOfRequest;
        replyOffset = reply;
        replyBytes = bytesOfReply;
    }

    /** The link that the call was sent on, or null if no caller waits for it. */
    ShmLink link() {
        return link;
    }

    /** The name of the call in its messages. */
    long name() {
        return (long) generation << GENERATION_SHIFT | slot;
    }

    /** Where the reply goes in the buffers. */
    long replyOffset() {
        return replyOffset;
    }

    /** Room for the reply. */
    int replyBytes() {
        return replyBytes;
    }

    /** Ends the call and returns its completion, for the result. */
    Completion end() {
        Completion waiting = completion;
        completion = null;
        link = null;
        return waiting;
    }

    @Override
    boolean write(ShmRingWriter ring) {
        return ring.write(ShmRingLayout.REQUEST, rpcId, name(), replyBytes, buffers, requestOffset, requestBytes);
    }

    @Override
    void drop() {
        // The call is outstanding, and fails with all other calls to that peer.
    }
}
