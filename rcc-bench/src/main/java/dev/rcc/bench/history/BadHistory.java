package dev.rcc.bench.history;

/** Input that is not a history: the message says where, what was given and what is allowed. */
public final class BadHistory extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    BadHistory(String message) {
        super(message);
    }

    BadHistory(String message, Throwable cause) {
        super(message, cause);
    }
}
