package dev.rcc.core.fabric;

import dev.rcc.core.memory.Memory;

/**
 * A request that a {@link RpcHandler} serves: where its bytes are, and where the reply's bytes go. The object and its
 * bytes belong to the handler until it calls {@link #reply}, at once or later on the same worker.
 */
public interface RpcRequest {
    /** The node that sent the request. */
    int caller();

    /** The memory that holds the request's bytes; to be read only. */
    Memory payload();

    /** Where the request starts in {@link #payload()}. */
    long payloadOffset();

    /** The request's length in bytes. */
    int payloadBytes();

    /** The memory that the reply's bytes are written to. */
    Memory response();

    /** Where the reply starts in {@link #response()}. */
    long responseOffset();

    /** Room for the reply in bytes. */
    int responseCapacity();

    /**
     * Sends the reply. The request must not be touched afterwards.
     *
     * @param bytes the reply's length in bytes, at most {@link #responseCapacity()}
     */
    void reply(int bytes);
}
