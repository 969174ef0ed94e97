package dev.rcc.client;

/** The transaction met others that it cannot be ordered with, again and again. It has had no effect; it may succeed later. */
public final class ConflictException extends RccException {
    private static final long serialVersionUID = 1L;

    ConflictException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
