package dev.rcc.transport.control;

/** A peer did not answer a question because its handler failed, or because it has none. The message has the reason. */
public final class ControlFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure with a message that says what went wrong. */
    public ControlFailure(String message) {
        super(message);
    }
}
