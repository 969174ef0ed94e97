package dev.rcc.client.procedure;

/** Thrown by a stored procedure to refuse a call. The transaction has no effect, and the caller receives the message. */
public final class ProcedureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates a refusal.
     *
     * @param message why, and what the caller may do; it is part of the message of the caller's {@link dev.rcc.client.ProcedureFailedException}
     */
    public ProcedureException(String message) {
        super(message);
    }
}
