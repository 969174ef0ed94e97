package dev.rcc.server.gateway;

import dev.rcc.client.wire.Message;

/**
 * Takes the answers for one client, wherever the client is. Used on the thread where its requests arrive, and in the coroutines of its
 * transactions.
 */
public interface AnswerSink {
    /**
     * Takes an answer, which the client is to receive soon.
     *
     * @param request the client's number of the request that is answered
     */
    void answer(int request, Message.Reply reply);

    /** Whether the client keeps up with reading its answers. If not, {@link ClientSession#writable} is to be called when it does again. */
    boolean isWritable();
}
