package dev.rcc.core.fabric;

import dev.rcc.core.worker.Completion;

/**
 * One worker's access to its peers. All local offsets refer to the buffers region that the endpoint was opened with, and must stay untouched by the
 * caller until the request has completed. A request that a coroutine posts to its own node may have completed when the post returns. Used on its
 * worker only; allocates nothing per operation once warm.
 */
public interface Endpoint {
    /** Largest RPC id; protocols choose the ids. */
    int MAX_RPC = 255;

    /**
     * Starts a doorbell batch to {@code peer}. The batch belongs to the caller until it is posted, and is reused by the
     * endpoint after that. A batch that is never posted has no effect but must not be dropped: post what you start.
     *
     * @param peer a node of the cluster, this one included
     */
    Batch batch(int peer);

    /**
     * Calls a handler on {@code peer}: on the worker there with this worker's index, modulo the number of its workers.
     * Calls to one peer that are posted in one turn of the event loop are sent together.
     *
     * @param rpcId the handler's id, 0 to {@link #MAX_RPC}
     * @param requestOffset where the request starts in the buffers region, a multiple of 8
     * @param requestBytes the request's length in bytes, at most {@link #maxCallBytes}
     * @param replyOffset where the reply goes in the buffers region, a multiple of 8
     * @param replyBytes room for the reply in bytes, at most {@link #maxCallBytes}; a longer reply is the handler's error
     * @param completion gets one result, when the reply has arrived or the peer is unreachable
     */
    void call(
            int peer,
            int rpcId,
            long requestOffset,
            int requestBytes,
            long replyOffset,
            int replyBytes,
            Completion completion);

    /**
     * Whether a request that a coroutine posts to {@code peer} has, as a rule, completed when the post returns. A coroutine that asks other peers as
     * well should ask this one after they have replied: its reply is newer then, and takes no longer.
     */
    default boolean completesAtOnce(int peer) {
        return false;
    }

    /** Most bytes that a call's request may have, and its reply. */
    default int maxCallBytes() {
        return Integer.MAX_VALUE;
    }

    /**
     * Registers the handler that runs on this worker for calls with {@code rpcId}. Done before the worker starts.
     *
     * @throws IllegalArgumentException when the id is taken or out of range
     */
    void handle(int rpcId, RpcHandler handler);
}
