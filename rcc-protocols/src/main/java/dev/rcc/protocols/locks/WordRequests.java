package dev.rcc.protocols.locks;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import java.util.function.IntFunction;

/**
 * Requests for words by RPC, and the handler that serves them: it does the verbs' work by the CPU.
 *
 * <pre>
 *   request: number of items; each: opcode, address, first operand, second operand
 *   reply:   for each item two words: the words found; without meaning after a WRITE
 * </pre>
 */
final class WordRequests {
    static final int READ = 0;
    static final int FETCH_ADD = 1;
    static final int CAS = 2;
    static final int WRITE = 3;

    /** The handler's id, on every worker. */
    static final int RPC_ID = 200;

    static final int HEADER_BYTES = Memory.WORD_BYTES;
    static final int ITEM_BYTES = 4 * Memory.WORD_BYTES;
    static final int REPLY_BYTES = 2 * Memory.WORD_BYTES;

    private WordRequests() {}

    static void serve(Endpoint endpoint, int rpcId, IntFunction<Memory> regions) {
        endpoint.handle(rpcId, request -> handle(request, regions));
    }

    private static void handle(RpcRequest request, IntFunction<Memory> regions) {
        Memory from = request.payload();
        Memory to = request.response();
        int items = (int) from.getLong(request.payloadOffset());
        for (int i = 0; i < items; i++) {
            long item = request.payloadOffset() + HEADER_BYTES + (long) i * ITEM_BYTES;
            long reply = request.responseOffset() + (long) i * REPLY_BYTES;
            long address = from.getLong(item + Memory.WORD_BYTES);
            Memory memory = regions.apply(RemoteAddress.region(address));
            long offset = RemoteAddress.offset(address);
            long first = from.getLong(item + 2L * Memory.WORD_BYTES);
            long second = from.getLong(item + 3L * Memory.WORD_BYTES);
            switch ((int) from.getLong(item)) {
                case READ -> {
                    to.putLong(reply, memory.getAcquire(offset));
                    to.putLong(
                            reply + Memory.WORD_BYTES, first == 2 ? memory.getAcquire(offset + Memory.WORD_BYTES) : 0);
                }
                case WRITE -> memory.putRelease(offset, first);
                case FETCH_ADD -> to.putLong(reply, memory.getAndAdd(offset, first));
                default -> to.putLong(reply, memory.compareAndExchange(offset, first, second));
            }
        }
        request.reply(items * REPLY_BYTES);
    }
}
