package dev.rcc.transport.verbs.rpc;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.verbs.ibv.CompletionChannel;
import dev.rcc.transport.verbs.ibv.MemoryRegion;

/**
 * A node's way to carry calls. The order is: {@link #open} for each worker, {@link #describe}, then {@link #prepare} and
 * {@link #disconnect} as peers come and go, {@link #close}. Its methods are called one at a time, on any thread, except that
 * {@link #prepare} may be called beside {@link #disconnect} and {@link Prepared}; those of {@link RpcChannel} on its worker.
 */
public interface RpcTransport extends AutoCloseable {
    /** Connections to a peer that calls do not use yet. One of its methods is called, once. */
    interface Prepared {
        /** The peer, or this node itself, can be called from now on. */
        void use();

        /** Gives the connections up: the link of the two nodes has ended meanwhile. */
        void discard();
    }

    /**
     * Opens a worker's channel; workers come in the order of their indexes.
     *
     * @param buffers the memory that the offsets of its calls refer to
     * @param region the same memory, registered
     * @param channel for completion queues that wake the worker, with the worker's index as the cookie; armed in
     *     {@link RpcChannel#arm}
     * @param handlers serve the calls that come in
     */
    RpcChannel open(
            Worker worker, Memory buffers, MemoryRegion region, CompletionChannel channel, RpcHandlers handlers);

    /** The description that a peer needs to call this node; called once all channels are open. */
    byte[] describe();

    /**
     * Makes the connections to a peer, or to this node itself, which can take seconds. The peer can call from now on: its calls may come in before
     * this returns.
     *
     * @param link the number of the link of the two nodes, the same on both; greater than that of the link before, unless a node was restarted
     * @param description the peer's {@linkplain #describe description}
     */
    Prepared prepare(int peer, int link, byte[] description);

    /** Makes the connections to a peer, as {@link #prepare}, and uses them. */
    default void connect(int peer, int link, byte[] description) {
        prepare(peer, link, description).use();
    }

    /**
     * A peer is gone: on each worker, the outstanding calls to it fail soon. Does nothing if the peer was not connected. If its gate
     * is closed, workers begin to serve no more calls of it once they have run their queued tasks.
     */
    void disconnect(int peer);

    /** Frees all resources, after the workers have ended. */
    @Override
    void close();
}
