package dev.rcc.client;

/**
 * The deadline has passed, the transaction waited for its client for too long, or the calling thread was interrupted. The transaction has had no
 * effect.
 */
public final class DeadlineExceededException extends RccException {
    private static final long serialVersionUID = 1L;

    DeadlineExceededException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
