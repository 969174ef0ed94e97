package dev.rcc.client;

/**
 * There is a record under the key already ({@link ErrorCode#ALREADY_EXISTS}), or another one with the same key in a unique index ({@link
 * ErrorCode#DUPLICATE_KEY}); the latter shows at the commit.
 */
public final class RecordExistsException extends RccException {
    private static final long serialVersionUID = 1L;

    RecordExistsException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
