package dev.rcc.server.gateway;

import dev.rcc.client.wire.Message;

/** Takes the answers for one client, wherever that is. May be used on any thread. */
public interface AnswerSink {
    /**
     * Takes an answer.
     *
     * @param request the client's number of what is answered
     * @param flush whether the client is to have it at once, as no other answer is about to follow
     */
    void answer(int request, Message.Reply reply, boolean flush);

    /** Whether the client keeps up with reading its answers. If not, {@link ClientSession#writable} is to be called when it does again. */
    boolean isWritable();
}
