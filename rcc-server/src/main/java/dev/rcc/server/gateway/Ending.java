package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.Message;

/**
 * Why a transaction has ended without effect, as its client is told.
 *
 * @param code the error's code
 * @param reason the number of the protocol's reason to abort, or 0
 * @param text what happened and what to do
 */
record Ending(ErrorCode code, int reason, String text) {
    Ending(ErrorCode code, String text) {
        this(code, 0, text);
    }

    Message.Failed toReply() {
        return new Message.Failed(code.number(), true, code.isRetryable(), reason, text);
    }

    /** A request has failed; the transaction goes on. */
    static Message.Failed refusal(ErrorCode code, String text) {
        return new Message.Failed(code.number(), false, false, 0, text);
    }
}
