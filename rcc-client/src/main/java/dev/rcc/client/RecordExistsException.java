package dev.rcc.client;

/** There is a record under the key already. */
public final class RecordExistsException extends RccException {
    private static final long serialVersionUID = 1L;

    RecordExistsException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
