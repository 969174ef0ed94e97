package dev.rcc.protocols.common;

import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Prefetch;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TablePartition;

/** A handler of requests of {@link Calls} with {@link KeyItem}s: it prefetches their index buckets, then the tuples that these lead to. */
public final class PrefetchingHandler implements RpcHandler {
    private final Memstore memstore;
    private final RpcHandler handler;

    /** Has {@code handler} serve the requests. */
    public PrefetchingHandler(Memstore memstore, RpcHandler handler) {
        this.memstore = memstore;
        this.handler = handler;
    }

    @Override
    public void handle(RpcRequest request) {
        handler.handle(request);
    }

    @Override
    public void prefetch(RpcRequest request, int round, Prefetch prefetch) {
        Memory payload = request.payload();
        int count = Calls.items(payload, request.payloadOffset());
        long item = request.payloadOffset() + Calls.HEADER_BYTES;
        for (int i = 0; i < count; i++) {
            TablePartition partition = KeyItem.partition(memstore, payload, item);
            partition.prefetch(KeyItem.keyHash(payload, item), round, prefetch);
            item += KeyItem.bytes(partition.table().layout().tuple());
        }
    }
}
