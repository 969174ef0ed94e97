package dev.rcc.transport.verbs.rpc;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.verbs.ibv.CompletionChannel;
import dev.rcc.transport.verbs.ibv.MemoryRegion;

/**
 * A node's way to carry calls. The course is: {@link #open} for each worker, {@link #describe}, then {@link #connect} and
 * {@link #disconnect} as peers come and go, {@link #close}. Except for what {@link RpcChannel} does, its methods are called one
 * at a time, on any thread.
 */
public interface RpcTransport extends AutoCloseable {
    /**
     * Opens a worker's channel; workers come in the order of their indexes.
     *
     * @param buffers what the offsets of its calls refer to
     * @param region the same memory, registered
     * @param channel for completion queues that are to wake the worker, with its index for a cookie; armed in
     *     {@link RpcChannel#arm}
     * @param handlers what serves the calls that come in
     */
    RpcChannel open(
            Worker worker, Memory buffers, MemoryRegion region, CompletionChannel channel, RpcHandlers handlers);

    /** What a peer has to know in order to call this node, once all channels are open. */
    byte[] describe();

    /**
     * A peer, or this node itself, can be called, and calls, from now on. Calls from it may come in before this returns.
     *
     * @param description what it said of itself
     */
    void connect(int peer, byte[] description);

    /**
     * A peer is gone: on each worker, the calls to it that are outstanding fail soon. Nothing if it was not connected. If its gate
     * is closed, no call of it is begun to be served once the workers have run what they had to do.
     */
    void disconnect(int peer);

    /** Frees everything, after the workers have ended. */
    @Override
    void close();
}
