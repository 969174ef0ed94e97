package dev.rcc.client;

/** A lock was not granted in time ({@link ErrorCode#LOCK_NOT_GRANTED}), or is no longer held ({@link ErrorCode#LOCK_LOST}). */
public final class LockException extends RccException {
    private static final long serialVersionUID = 1L;

    LockException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
