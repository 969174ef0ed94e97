package dev.rcc.transport.shm;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;

/**
 * One RPC on the server's side. The request is copied out of the ring, since a handler may keep it while the ring goes on, and
 * since the peer could change it there. Belongs to its worker.
 *
 * <pre>
 *             received             reply or failure             in the ring, or the peer has gone
 *   (pool) -------------&gt; SERVING ------------------&gt; REPLIED -----------------------------------&gt; (pool)
 * </pre>
 */
final class ShmRequest extends ShmMessage implements RpcRequest {
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

    int rpcId() {
        return rpcId;
    }

    /** Tells the caller that there is no reply, unless one is on its way. */
    void fail() {
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

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException when there is no room for so long a reply; the call has failed then
     * @throws IllegalStateException when it was replied to already; once the object serves another call, this cannot be told
     *     any more
     */
    @Override
    public void reply(int bytes) {
        if (state != SERVING) {
            throw new IllegalStateException("rpc " + rpcId + " has been replied to already");
        }
        if (bytes < 0 || bytes > room) {
            fail();
            throw new IllegalArgumentException(
                    "the reply to rpc " + rpcId + " must be 0 to " + room + " bytes long, got " + bytes);
        }
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
