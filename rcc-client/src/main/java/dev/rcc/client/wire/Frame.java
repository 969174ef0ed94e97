package dev.rcc.client.wire;

import java.util.Objects;

/**
 * The content of a frame.
 *
 * @param request the client's number of a request, which the reply repeats; 0 for a message of the gateway that answers no request
 * @param message the request or reply
 */
public record Frame(int request, Message message) {
    /** Checks that there is a message. */
    public Frame {
        Objects.requireNonNull(message, "message");
    }
}
