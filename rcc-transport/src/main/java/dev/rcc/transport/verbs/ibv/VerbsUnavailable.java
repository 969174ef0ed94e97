package dev.rcc.transport.verbs.ibv;

/** Verbs cannot be used here; the message is one sentence that says what to install or change. */
public final class VerbsUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a message that says what to do. */
    public VerbsUnavailable(String message) {
        super(message);
    }

    /** With a message that says what to do, and the platform's error. */
    public VerbsUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
