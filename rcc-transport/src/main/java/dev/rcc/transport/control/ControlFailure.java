package dev.rcc.transport.control;

/** A peer did not answer a question because its handler failed, or because it has none. The message says which. */
public final class ControlFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Says what went wrong. */
    public ControlFailure(String message) {
        super(message);
    }
}
