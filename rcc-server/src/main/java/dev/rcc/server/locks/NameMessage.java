package dev.rcc.server.locks;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Worker;
import dev.rcc.server.config.LockNamespace;
import java.nio.charset.StandardCharsets;

/**
 * The call that asks a node for a lock by its name.
 *
 * <pre>
 *   request: namespace, partition, bytes of the name; the name's UTF-8, padded to {@value LockNamespace#LOCK_NAME_BYTES_MAX} bytes
 *   reply:   kind of result, two words that belong to it
 * </pre>
 */
final class NameMessage {
    static final int RPC_ID = 204;

    private static final int NAME = 3 * Memory.WORD_BYTES;
    static final int REQUEST_BYTES = NAME + LockNamespace.LOCK_NAME_BYTES_MAX;
    static final int REPLY_BYTES = 3 * Memory.WORD_BYTES;

    private static final int FOUND = 0;
    private static final int ELSEWHERE = 1;
    private static final int NOT_YET = 2;
    private static final int FULL = 3;
    private static final int SPENT = 4;

    private NameMessage() {}

    static void serve(Endpoint endpoint, LockDirectory directory, Worker worker) {
        endpoint.handle(RPC_ID, request -> handle(request, directory, worker));
    }

    static void writeRequest(Memory memory, long offset, int namespace, int partition, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        memory.putLong(offset, namespace);
        memory.putLong(offset + Memory.WORD_BYTES, partition);
        memory.putLong(offset + 2L * Memory.WORD_BYTES, bytes.length);
        memory.putBytes(offset + NAME, bytes, 0, bytes.length);
    }

    private static void handle(RpcRequest request, LockDirectory directory, Worker worker) {
        Memory from = request.payload();
        long offset = request.payloadOffset();
        byte[] bytes = new byte[(int) from.getLong(offset + 2L * Memory.WORD_BYTES)];
        from.getBytes(offset + NAME, bytes, 0, bytes.length);
        LockDirectory.Answer answer = directory.find(
                (int) from.getLong(offset),
                (int) from.getLong(offset + Memory.WORD_BYTES),
                new String(bytes, StandardCharsets.UTF_8),
                worker.nanoTime());
        switch (answer) {
            case LockDirectory.Answer.Found found -> write(request, FOUND, found.address(), found.epoch());
            case LockDirectory.Answer.Elsewhere() -> write(request, ELSEWHERE, 0, 0);
            case LockDirectory.Answer.NotYet(long nanos) -> write(request, NOT_YET, nanos, 0);
            case LockDirectory.Answer.Full() -> write(request, FULL, 0, 0);
            case LockDirectory.Answer.Spent() -> write(request, SPENT, 0, 0);
        }
        request.reply(REPLY_BYTES);
    }

    private static void write(RpcRequest request, int what, long first, long second) {
        Memory to = request.response();
        to.putLong(request.responseOffset(), what);
        to.putLong(request.responseOffset() + Memory.WORD_BYTES, first);
        to.putLong(request.responseOffset() + 2L * Memory.WORD_BYTES, second);
    }

    static LockDirectory.Answer readReply(Memory memory, long offset) {
        long first = memory.getLong(offset + Memory.WORD_BYTES);
        return switch ((int) memory.getLong(offset)) {
            case FOUND -> new LockDirectory.Answer.Found(first, memory.getLong(offset + 2L * Memory.WORD_BYTES));
            case NOT_YET -> new LockDirectory.Answer.NotYet(first);
            case FULL -> new LockDirectory.Answer.Full();
            case SPENT -> new LockDirectory.Answer.Spent();
            default -> new LockDirectory.Answer.Elsewhere();
        };
    }
}
