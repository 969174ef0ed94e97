package dev.rcc.client;

/** The key has no record. Thrown by {@link Transaction#require}, also in a stored procedure. */
public final class RecordNotFoundException extends RccException {
    private static final long serialVersionUID = 1L;

    RecordNotFoundException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
