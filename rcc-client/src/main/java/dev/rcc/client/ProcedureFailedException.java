package dev.rcc.client;

/** The stored procedure has refused or failed; the message contains the procedure's own. It has had no effect. */
public final class ProcedureFailedException extends RccException {
    private static final long serialVersionUID = 1L;

    ProcedureFailedException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
