package dev.rcc.transport.verbs.rpc;

import dev.rcc.core.worker.Completion;

/** The calls that one worker makes and serves. Used on that worker. */
public interface RpcChannel {
    /**
     * Makes a call, as {@link dev.rcc.core.fabric.Endpoint#call} describes. The arguments are checked and the completion has
     * counted the request. A call to a peer that is not connected fails.
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
     * Runs one turn: sends the calls and replies since the last turn, and may pack those to one peer together; takes the messages
     * that have arrived; serves requests; completes calls.
     *
     * @return the amount of work done
     */
    int poll();

    /** The worker is about to sleep: see {@link dev.rcc.core.worker.Poller#arm}. */
    void arm();
}
