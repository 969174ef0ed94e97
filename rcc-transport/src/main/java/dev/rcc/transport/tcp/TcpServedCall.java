package dev.rcc.transport.tcp;

import dev.rcc.core.memory.Memory;
import dev.rcc.transport.ServedRequest;
import java.lang.foreign.Arena;

/** A peer's RPC while a handler of this node has it. Its bytes are its own, as a reply may be long in coming. Pooled. */
final class TcpServedCall implements ServedRequest {
    private static final int INITIAL_BYTES = 512;
    /** What grew longer is given back behind the reply. */
    private static final int KEPT_BYTES = 1 << 16;

    private final TcpRpcConnection connection;
    private Memory memory = Memory.allocate(Arena.ofAuto(), INITIAL_BYTES);
    private int call;
    private int rpcId;
    private int requestBytes;
    private int replyRoom;
    private boolean serving;

    TcpServedCall(TcpRpcConnection connection) {
        this.connection = connection;
    }

    /** Becomes a call whose request is at {@code offset} in {@code in}. */
    void start(int itsCall, int handler, Memory in, int offset, int bytes, int room) {
        call = itsCall;
        rpcId = handler;
        requestBytes = bytes;
        replyRoom = room;
        int needed = Memory.alignToWord(bytes) + Memory.alignToWord(room);
        if (memory.size() < needed) {
            memory = Memory.allocate(Arena.ofAuto(), Integer.highestOneBit(needed - 1) << 1);
        }
        in.copy(offset, memory, 0, bytes);
        serving = true;
    }

    /** Bytes of request and reply. */
    int bytes() {
        return requestBytes + replyRoom;
    }

    @Override
    public int rpcId() {
        return rpcId;
    }

    int call() {
        return call;
    }

    /** Tells the caller that there is no reply, unless it has one. */
    @Override
    public void fail() {
        if (serving) {
            finish(TcpFrames.FAILED, 0);
        }
    }

    private void finish(byte status, int bytes) {
        serving = false;
        connection.reply(this, status, memory, Memory.alignToWord(requestBytes), bytes);
        if (memory.size() > KEPT_BYTES) {
            memory = Memory.allocate(Arena.ofAuto(), INITIAL_BYTES);
        }
    }

    @Override
    public int caller() {
        return connection.peer();
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
        return Memory.alignToWord(requestBytes);
    }

    @Override
    public int responseCapacity() {
        return replyRoom;
    }

    @Override
    public boolean isServing() {
        return serving;
    }

    @Override
    public void sendReply(int bytes) {
        finish(TcpFrames.SUCCEEDED, bytes);
    }
}
