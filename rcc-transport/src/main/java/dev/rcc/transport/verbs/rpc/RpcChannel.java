package dev.rcc.transport.verbs.rpc;

import dev.rcc.core.worker.Completion;

/** One worker's calls: those it makes and those it serves. Used on that worker. */
public interface RpcChannel {
    /**
     * Makes a call, as {@link dev.rcc.core.fabric.Endpoint#call} says. The arguments are checked and the completion has
     * counted the request. To a peer that is not connected, the call fails.
     */
    void call(
            int peer,
            int rpcId,
            long requestOffset,
            int requestBytes,
            long replyOffset,
            int replyBytes,
            Completion completion);

    /** Longest request or reply. */
    int messageBytesMax();

    /**
     * One turn: sends what was called or replied since the last one, what goes to one peer packed together; takes what has
     * come; serves requests; tells completions.
     *
     * @return how much there was to do
     */
    int poll();

    /** The worker is about to sleep: see {@link dev.rcc.core.worker.Poller#arm}. */
    void arm();
}
