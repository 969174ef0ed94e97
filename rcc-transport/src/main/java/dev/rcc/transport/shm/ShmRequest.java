package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;
import dev.rcc.transport.ServedRequest;

/**
 * One RPC on the server's side. The request is copied out of the ring, since a handler may keep it while the ring goes on, and
 * since the peer could change it there. Belongs to its worker.
 *
 * <pre>
 *             received             reply or failure             in the ring, or the peer has gone
 *   (pool) -------------&gt; SERVING ------------------&gt; REPLIED -----------------------------------&gt; (pool)
 * </pre>
 */
final class ShmRequest extends ShmMessage implements ServedRequest {
    private static final byte FREE = 0;
    private static final byte SERVING = 1;
    private static final byte REPLIED = 2;

    private final ShmEndpoint endpoint;
    private Memory memory;
    private ShmLink link;
    private int caller;
    private long call;
    private int rpcId;
    private int requestBytes;
    private int responseOffset;
    private int room;
    private byte state = FREE;
    private int replyKind;
    private int replyBytes;

    ShmRequest(ShmEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Takes the reader's current record, whose room for a reply was checked. */
    void receive(ShmLink from, ShmRingReader reader) {
        assert state == FREE : "state " + state;
        state = SERVING;
        link = from;
        caller = from.peer();
        call = reader.call();
        rpcId = reader.rpcId();
        requestBytes = reader.payloadBytes();
        room = (int) reader.room();
        responseOffset = Memory.alignToWord(requestBytes);
        int needed = Math.max(responseOffset + room, Memory.WORD_BYTES);
        if (memory == null || memory.size() < needed) {
            memory = endpoint.allocate(Math.max(64, Integer.highestOneBit(needed - 1) << 1));
        }
        reader.copyPayload(memory, 0);
    }

    @Override
    public int rpcId() {
        return rpcId;
    }

    /** Tells the caller that there is no reply, unless one is on its way. */
    @Override
    public void fail() {
        if (state == SERVING) {
            replyKind = ShmRingLayout.FAILURE;
            replyBytes = 0;
            send();
        }
    }

    @Override
    public int caller() {
        return caller; // told after the reply, too: by the log, when a handler throws then
    }

    @Override
    public Memory payload() {
        return memory;
    }

    @Override
    public long payloadOffset() {
        return 0;
    }

    @Override
    public int payloadBytes() {
        return requestBytes;
    }

    @Override
    public Memory response() {
        return memory;
    }

    @Override
    public long responseOffset() {
        return responseOffset;
    }

    @Override
    public int responseCapacity() {
        return room;
    }

    @Override
    public boolean isServing() {
        return state == SERVING;
    }

    @Override
    public void sendReply(int bytes) {
        replyKind = ShmRingLayout.REPLY;
        replyBytes = bytes;
        send();
    }

    private void send() {
        state = REPLIED;
        link.served();
        endpoint.send(link, this);
    }

    @Override
    boolean write(ShmRingWriter ring) {
        if (!ring.write(replyKind, 0, call, 0, memory, responseOffset, replyBytes)) {
            return false;
        }
        drop();
        return true;
    }

    @Override
    void drop() {
        assert state == REPLIED : "state " + state;
        state = FREE;
        link = null;
        endpoint.recycle(this);
    }
}
