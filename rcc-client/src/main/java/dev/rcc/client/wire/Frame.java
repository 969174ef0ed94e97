package dev.rcc.client.wire;

import java.util.Objects;

/**
 * What a frame holds.
 *
 * @param request the number that the client has given to a request, and that the reply to it has, too
 * @param message the request or reply
 */
public record Frame(int request, Message message) {
    /** Checks that there is a message. */
    public Frame {
        Objects.requireNonNull(message, "message");
    }
}
