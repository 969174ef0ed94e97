package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;
import dev.rcc.transport.ServedCall;

/**
 * One RPC on the server's side. The request is copied out of the ring, since a handler may keep it while the ring is reused, and
 * since the peer could change it there. Belongs to its worker.
 *
 * <pre>
 *             received             reply or failure             in the ring, or the peer has gone
 *   (pool) -------------&gt; serving ------------------&gt; replied -----------------------------------&gt; (pool)
 * </pre>
 */
final class ShmRequest extends ServedCall {
    private final ShmEndpoint endpoint;
    private final Reply reply = new Reply();
    private Memory memory;
    /** Null in the pool. */
    private ShmLink link;

    private long call;

    ShmRequest(ShmEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Takes the reader's current record, whose room for a reply was checked. */
    void receive(ShmLink from, ShmRingReader reader) {
        assert link == null : "in use";
        link = from;
        call = reader.call();
        int requestBytes = reader.payloadBytes();
        int room = (int) reader.room();
        int responseOffset = Memory.alignToWord(requestBytes);
        int needed = Math.max(responseOffset + room, Memory.WORD_BYTES);
        if (memory == null || memory.size() < needed) {
            memory = endpoint.allocate(Math.max(64, Integer.highestOneBit(needed - 1) << 1));
        }
        reader.copyPayload(memory, 0);
        setRequest(from.peer(), reader.rpcId(), memory, 0, requestBytes);
        setResponse(memory, responseOffset, room);
        begin();
    }

    @Override
    protected void sendReply(int bytes) {
        send(ShmRingLayout.REPLY, bytes);
    }

    @Override
    protected void sendFailure() {
        send(ShmRingLayout.FAILURE, 0);
    }

    private void send(int kind, int bytes) {
        reply.kind = kind;
        reply.bytes = bytes;
        endpoint.send(link, reply);
    }

    /** The reply or failure that is written to the ring. */
    private final class Reply extends ShmMessage {
        private int kind;
        private int bytes;

        @Override
        boolean write(ShmRingWriter ring) {
            if (!ring.write(kind, 0, call, 0, memory, responseOffset(), bytes)) {
                return false;
            }
            drop();
            return true;
        }

        @Override
        void drop() {
            assert link != null && !isServing() : "dropped before it was replied to, or twice";
            link.served();
            link = null;
            endpoint.recycle(ShmRequest.this);
        }
    }
}
