package dev.rcc.client;

/**
 * The key has a record already ({@link ErrorCode#ALREADY_EXISTS}), or a unique index has another record with the same index key ({@link
 * ErrorCode#DUPLICATE_KEY}). The commit detects the latter, and then has no effect.
 */
public final class RecordExistsException extends RccException {
    private static final long serialVersionUID = 1L;

    RecordExistsException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
