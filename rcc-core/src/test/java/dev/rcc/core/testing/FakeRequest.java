package dev.rcc.core.testing;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import java.util.function.IntConsumer;

/**
 * A request of node 0, in one memory with its reply.
 *
 * @param replied receives the reply's length in bytes
 */
public record FakeRequest(
        Memory memory,
        long payloadOffset,
        int payloadBytes,
        long responseOffset,
        int responseCapacity,
        IntConsumer replied)
        implements RpcRequest {
    @Override
    public int caller() {
        return 0;
    }

    @Override
    public Memory payload() {
        return memory;
    }

    @Override
    public Memory response() {
        return memory;
    }

    @Override
    public void reply(int bytes) {
        if (bytes > responseCapacity) {
            throw new IllegalStateException("a reply of " + bytes + " bytes in room for " + responseCapacity);
        }
        replied.accept(bytes);
    }
}
