package dev.rcc.transport.verbs.ud;

import dev.rcc.core.memory.Memory;
import dev.rcc.transport.ServedRequest;
import java.lang.foreign.Arena;

/**
 * The server's side of a call: first what has arrived of the request, then what the handler serves, then the reply. The
 * bytes are its own, copied out of the packets, so that a handler may keep them while the room of the packets is given
 * back at once.
 *
 * <pre>
 *           first fragment              last fragment            reply, or failure            in packets
 *   (pool) ----------------&gt; ARRIVING --------------&gt; SERVING -------------------&gt; REPLIED -------------&gt; (pool)
 * </pre>
 */
final class UdRequest extends UdMessage implements ServedRequest {
    private static final int INITIAL_BYTES = 1024;

    private static final byte ARRIVING = 0;
    private static final byte SERVING = 1;
    private static final byte REPLIED = 2;

    private final UdChannel channel;
    private Memory payload = allocate(INITIAL_BYTES);
    private Memory response = allocate(INITIAL_BYTES);
    private byte state = REPLIED;
    private int payloadBytes;
    private int arrived;

    UdRequest(UdChannel channel) {
        this.channel = channel;
    }

    /** Takes it out of the pool for the request that a fragment is the first to be seen of. */
    void start(UdPeer from, Memory memory, long fragment) {
        assert state == REPLIED && !queued : "a request in use was in the pool";
        state = ARRIVING;
        peer = from;
        slot = UdPacketLayout.slot(memory, fragment);
        generation = UdPacketLayout.generation(memory, fragment);
        rpcId = UdPacketLayout.rpcId(memory, fragment);
        payloadBytes = UdPacketLayout.messageBytes(memory, fragment);
        replyRoom = Math.min(UdPacketLayout.replyRoom(memory, fragment), channel.messageBytesMax());
        arrived = 0;
        payload = atLeast(payload, payloadBytes);
        response = atLeast(response, replyRoom);
    }

    /** Takes a part of the request. Returns whether it is whole now. */
    boolean take(Memory memory, long fragment) {
        int part = UdPacketLayout.fragmentBytes(memory, fragment);
        memory.copy(fragment + UdPacketLayout.FRAGMENT_BYTES, payload, UdPacketLayout.offset(memory, fragment), part);
        arrived += part;
        return arrived == payloadBytes;
    }

    /** Whether a part of a request can be one of this. */
    boolean canTake(int message, int part) {
        return message == payloadBytes && part <= payloadBytes - arrived;
    }

    /** A handler takes it. */
    void serve() {
        assert state == ARRIVING : "state " + state;
        state = SERVING;
    }

    /** Tells the caller that there is no reply, unless one is on its way. */
    @Override
    public void fail() {
        if (state == SERVING) {
            send(UdPacketLayout.FAILURE, 0);
        }
    }

    /** Gives up what has not arrived as a whole. */
    void forget() {
        state = REPLIED;
        channel.recycle(this);
    }

    @Override
    public int caller() {
        return peer.node();
    }

    @Override
    public Memory payload() {
        return payload;
    }

    @Override
    public long payloadOffset() {
        return 0;
    }

    @Override
    public int payloadBytes() {
        return payloadBytes;
    }

    @Override
    public Memory response() {
        return response;
    }

    @Override
    public long responseOffset() {
        return 0;
    }

    @Override
    public int responseCapacity() {
        return replyRoom;
    }

    @Override
    public int rpcId() {
        return rpcId;
    }

    @Override
    public boolean isServing() {
        return state == SERVING;
    }

    @Override
    public void sendReply(int bytes) {
        send(UdPacketLayout.REPLY, bytes);
    }

    private void send(int kindOfReply, int replyBytes) {
        state = REPLIED;
        kind = kindOfReply;
        bytes = replyBytes;
        packed = 0;
        channel.send(this);
    }

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
        channel.recycle(this);
    }

    private static Memory atLeast(Memory memory, int bytes) {
        return bytes <= memory.size() ? memory : allocate(Integer.highestOneBit(bytes - 1) << 1);
    }

    private static Memory allocate(int bytes) {
        return Memory.allocate(Arena.ofAuto(), bytes);
    }
}
