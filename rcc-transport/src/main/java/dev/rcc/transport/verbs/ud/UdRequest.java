package dev.rcc.transport.verbs.ud;

import dev.rcc.core.memory.Memory;
import dev.rcc.transport.ServedCall;
import java.lang.foreign.Arena;

/**
 * The server's side of a call: first the arrived parts of the request, then the request that a handler serves, then the reply.
 * The bytes are copied out of the packets, so that a handler may keep them while the room of the packets is freed
 * at once.
 *
 * <pre>
 *           first fragment              last fragment            reply, or failure            in packets
 *   (pool) ----------------&gt; arriving --------------&gt; serving -------------------&gt; replied -------------&gt; (pool)
 * </pre>
 */
final class UdRequest extends ServedCall {
    private static final int INITIAL_BYTES = 1024;

    private final UdChannel channel;
    private final Reply reply = new Reply();
    private Memory payload = allocate(INITIAL_BYTES);
    private Memory response = allocate(INITIAL_BYTES);
    private boolean arriving;
    private int arrived;

    UdRequest(UdChannel channel) {
        this.channel = channel;
    }

    /** Takes it out of the pool for a new request, of which {@code fragment} is the first fragment to arrive. */
    void start(UdPeer from, Memory memory, long fragment) {
        assert !arriving && !isServing() && !reply.queued : "a request in use was in the pool";
        arriving = true;
        arrived = 0;
        reply.peer = from;
        reply.slot = UdPacketLayout.slot(memory, fragment);
        reply.generation = UdPacketLayout.generation(memory, fragment);
        reply.rpcId = UdPacketLayout.rpcId(memory, fragment);
        int bytes = UdPacketLayout.messageBytes(memory, fragment);
        int room = Math.min(UdPacketLayout.replyRoom(memory, fragment), channel.messageBytesMax());
        payload = atLeast(payload, bytes);
        response = atLeast(response, room);
        setRequest(from.node(), reply.rpcId, payload, 0, bytes);
        setResponse(response, 0, room);
    }

    /** The slot of the call at its caller. */
    int slot() {
        return reply.slot;
    }

    /** The generation of the call in its slot. */
    int generation() {
        return reply.generation;
    }

    /** Takes a part of the request. Returns whether the request is complete now. */
    boolean take(Memory memory, long fragment) {
        int part = UdPacketLayout.fragmentBytes(memory, fragment);
        memory.copy(fragment + UdPacketLayout.FRAGMENT_BYTES, payload, UdPacketLayout.offset(memory, fragment), part);
        arrived += part;
        return arrived == payloadBytes();
    }

    /** Whether a part of a request can belong to this request. */
    boolean canTake(int message, int part) {
        return message == payloadBytes() && part <= payloadBytes() - arrived;
    }

    /** Begins to serve the request by a handler. */
    void serve() {
        assert arriving : "not from the network";
        arriving = false;
        begin();
    }

    /** Gives up a request that has not completely arrived. */
    void forget() {
        arriving = false;
        channel.recycle(this);
    }

    @Override
    protected void sendReply(int bytes) {
        send(UdPacketLayout.REPLY, bytes);
    }

    @Override
    protected void sendFailure() {
        send(UdPacketLayout.FAILURE, 0);
    }

    private void send(int kind, int bytes) {
        reply.kind = kind;
        reply.bytes = bytes;
        reply.packed = 0;
        channel.send(reply);
    }

    private static Memory atLeast(Memory memory, int bytes) {
        return bytes <= memory.size() ? memory : allocate(Integer.highestOneBit(bytes - 1) << 1);
    }

    private static Memory allocate(int bytes) {
        return Memory.allocate(Arena.ofAuto(), bytes);
    }

    /** The reply or failure that is sent to the caller. */
    private final class Reply extends UdMessage {
        @Override
        Memory source() {
            return response;
        }

        @Override
        long sourceOffset() {
            return 0;
        }

        @Override
        boolean isAbandoned() {
            return false;
        }

        @Override
        void left() {
            channel.recycle(UdRequest.this);
        }
    }
}
