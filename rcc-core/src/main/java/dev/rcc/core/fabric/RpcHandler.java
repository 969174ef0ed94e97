package dev.rcc.core.fabric;

/** A participant's side of an RPC. Runs on the worker's event loop. */
@FunctionalInterface
public interface RpcHandler {
    /**
     * Serves one request, without blocking. It either replies before it returns or keeps the request and replies later
     * on the same worker. An exception is logged and reported to the caller as a failed request.
     */
    void handle(RpcRequest request);
}
