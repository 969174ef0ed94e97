package dev.rcc.transport;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Prefetch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The RPC handlers of an endpoint, and the checks of calls. Used on the endpoint's worker. */
public final class RpcHandlers {
    private static final Logger LOG = LoggerFactory.getLogger(RpcHandlers.class);

    private final int node;
    private final WorkerCounters counters;
    private final Prefetch prefetch = new Prefetch();
    private final RpcHandler[] handlers = new RpcHandler[Endpoint.MAX_RPC + 1];

    /** No handlers yet, on {@code node}; {@code counters} counts the requests that they serve. */
    public RpcHandlers(int node, WorkerCounters counters) {
        this.node = node;
        this.counters = counters;
    }

    /**
     * Registers a handler.
     *
     * @throws IllegalArgumentException when the id is out of range or has a handler
     */
    public void register(int rpcId, RpcHandler handler) {
        checkRpc(rpcId);
        if (handlers[rpcId] != null) {
            throw new IllegalArgumentException("rpc id " + rpcId + " has a handler already");
        }
        handlers[rpcId] = handler;
    }

    /** Prefetches the memory for a request, and hands it to its handler as {@link #handle} does. */
    public void serve(ServedCall request) {
        for (int round = 0; round < RpcHandler.PREFETCH_ROUNDS; round++) {
            prefetch(request, round);
            fetch();
        }
        handle(request);
    }

    /** Has a request's handler say what the next {@link #fetch} fetches. For several requests, before the first of them is {@linkplain #handle handled}. */
    public void prefetch(ServedCall request, int round) {
        try {
            RpcHandler handler = handlers[request.rpcId()];
            if (handler != null) {
                handler.prefetch(request, round, prefetch);
            }
        } catch (RuntimeException e) {
            // The handler is going to find what is wrong.
        }
    }

    /** Fetches what the requests' handlers want in the cache. */
    public void fetch() {
        prefetch.fetch();
    }

    /** Hands a request to its handler. If there is no handler, or the handler fails, the call fails and the failure is logged. */
    public void handle(ServedCall request) {
        int rpcId = request.rpcId();
        int caller = request.caller();
        counters.served();
        RpcHandler handler = handlers[rpcId];
        if (handler == null) {
            LOG.error(
                    "event=rpc_unknown caller={} rpc={} node={}: the node has no handler for it", caller, rpcId, node);
            request.fail();
            return;
        }
        try {
            handler.handle(request);
        } catch (RuntimeException | Error e) {
            LOG.error("event=rpc_failed rpc={} caller={} node={}", rpcId, caller, node, e);
            request.fail();
        }
    }

    /**
     * Checks a call before it is sent.
     *
     * @throws IllegalArgumentException when the id is out of range, or request or reply does not start at a multiple of 8 or
     *     lie in the buffers
     */
    public static void checkCall(
            int rpcId, Memory buffers, long requestOffset, int requestBytes, long replyOffset, int replyBytes) {
        checkRpc(rpcId);
        checkBuffer("request", buffers, requestOffset, requestBytes);
        checkBuffer("reply", buffers, replyOffset, replyBytes);
    }

    private static void checkRpc(int rpcId) {
        if (rpcId < 0 || rpcId > Endpoint.MAX_RPC) {
            throw new IllegalArgumentException("rpc id must be 0 to " + Endpoint.MAX_RPC + ", got " + rpcId);
        }
    }

    private static void checkBuffer(String what, Memory buffers, long offset, int bytes) {
        if ((offset & (Memory.WORD_BYTES - 1)) != 0 || offset < 0 || bytes < 0 || offset > buffers.size() - bytes) {
            throw new IllegalArgumentException("the " + what + " must start at a multiple of 8 and lie in the "
                    + buffers.size() + " bytes of the buffers, got offset " + offset + ", " + bytes + " bytes");
        }
    }
}
