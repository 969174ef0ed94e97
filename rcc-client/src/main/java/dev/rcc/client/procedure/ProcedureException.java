package dev.rcc.client.procedure;

/** Thrown by a stored procedure that refuses to do what it is asked for. Its transaction has no effect, its caller gets the message. */
public final class ProcedureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Refuses.
     *
     * @param message why, and what the caller may do; the caller's {@link dev.rcc.client.ProcedureFailedException} has it
     */
    public ProcedureException(String message) {
        super(message);
    }
}
