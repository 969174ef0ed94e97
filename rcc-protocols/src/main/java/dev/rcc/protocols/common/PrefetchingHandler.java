package dev.rcc.protocols.common;

import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Prefetch;
import dev.rcc.core.store.TablePartition;

/**
 * A handler of requests of {@link Calls} whose items are keys to look up: it prefetches their index buckets, then the tuples that these lead to. A
 * subclass knows the format of the items.
 */
public abstract class PrefetchingHandler implements RpcHandler {
    private final RpcHandler handler;

    /** Has {@code handler} serve the requests. */
    protected PrefetchingHandler(RpcHandler handler) {
        this.handler = handler;
    }

    /** The partition of an item's key. */
    protected abstract TablePartition partition(Memory payload, long item);

    /** The hash of an item's key. */
    protected abstract long keyHash(Memory payload, long item);

    /** The length of an item with a key of the partition, in bytes. */
    protected abstract int itemBytes(TablePartition partition);

    @Override
    public final void handle(RpcRequest request) {
        handler.handle(request);
    }

    @Override
    public final void prefetch(RpcRequest request, int round, Prefetch prefetch) {
        Memory payload = request.payload();
        int count = Calls.items(payload, request.payloadOffset());
        long item = request.payloadOffset() + Calls.HEADER_BYTES;
        for (int i = 0; i < count; i++) {
            TablePartition partition = partition(payload, item);
            partition.prefetch(keyHash(payload, item), round, prefetch);
            item += itemBytes(partition);
        }
    }
}
