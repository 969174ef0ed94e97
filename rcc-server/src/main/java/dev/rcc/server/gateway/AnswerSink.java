package dev.rcc.server.gateway;

import dev.rcc.client.wire.Message;

/** Takes the answers for one client, wherever that is. Used where its requests arrive, and in the coroutines of its transactions. */
public interface AnswerSink {
    /**
     * Takes an answer, which the client is to have soon.
     *
     * @param request the client's number of what is answered
     */
    void answer(int request, Message.Reply reply);

    /** Whether the client keeps up with reading its answers. If not, {@link ClientSession#writable} is to be called when it does again. */
    boolean isWritable();
}
