package dev.rcc.transport.tcp;

import dev.rcc.core.memory.Memory;
import dev.rcc.transport.ServedCall;
import java.lang.foreign.Arena;

/** A peer's RPC while a handler of this node serves it. It has memory of its own, as the reply may come late. Pooled. */
final class TcpServedCall extends ServedCall {
    private static final int INITIAL_BYTES = 512;
    /** Longer memory is freed after the reply. */
    private static final int KEPT_BYTES = 1 << 16;

    private final TcpRpcConnection connection;
    private int call;

    TcpServedCall(TcpRpcConnection connection) {
        this.connection = connection;
    }

    /** Becomes a call whose request is at {@code offset} in {@code in}. */
    void start(int itsCall, int handler, Memory in, int offset, int bytes, int room) {
        call = itsCall;
        int responseOffset = Memory.alignToWord(bytes);
        int needed = responseOffset + Memory.alignToWord(room);
        Memory memory = payload();
        if (memory == null || memory.size() < needed) {
            memory = Memory.allocate(
                    Arena.ofAuto(), needed <= INITIAL_BYTES ? INITIAL_BYTES : Integer.highestOneBit(needed - 1) << 1);
        }
        in.copy(offset, memory, 0, bytes);
        setRequest(connection.peer(), handler, memory, 0, bytes);
        setResponse(memory, responseOffset, room);
        begin();
    }

    /** Bytes of request and reply. */
    int bytes() {
        return payloadBytes() + responseCapacity();
    }

    int call() {
        return call;
    }

    @Override
    protected void sendReply(int bytes) {
        finish(TcpFrames.SUCCEEDED, bytes);
    }

    @Override
    protected void sendFailure() {
        finish(TcpFrames.FAILED, 0);
    }

    private void finish(byte status, int bytes) {
        connection.reply(this, status, bytes);
        if (payload().size() > KEPT_BYTES) {
            forgetMemory();
        }
    }
}
