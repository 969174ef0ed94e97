package dev.rcc.core.fabric;

import dev.rcc.core.memory.Prefetch;

/** A participant's side of an RPC. Runs on the worker's event loop. */
@FunctionalInterface
public interface RpcHandler {
    /** How often a network calls {@link #prefetch} for a request: an index has to be in the cache before it is known what it leads to. */
    int PREFETCH_ROUNDS = 2;

    /**
     * Serves one request, without blocking. It either replies before it returns or keeps the request and replies later
     * on the same worker. An exception is logged and reported to the caller as a failed request.
     */
    void handle(RpcRequest request);

    /**
     * Adds the memory that {@link #handle} is going to read to what is about to be fetched into the cache. A network that has several requests calls
     * this for all of them before it has the first one handled, so that their cache misses overlap. Changes nothing. An exception ends the
     * prefetch of this request; nothing else happens, as {@link #handle} finds what is wrong, too.
     *
     * @param round 0 to {@link #PREFETCH_ROUNDS} - 1; what the earlier rounds added is in the cache
     */
    default void prefetch(RpcRequest request, int round, Prefetch prefetch) {}
}
