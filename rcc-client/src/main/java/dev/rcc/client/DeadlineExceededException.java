package dev.rcc.client;

/** The time was over, or the transaction waited for its client for too long. It has had no effect. */
public final class DeadlineExceededException extends RccException {
    private static final long serialVersionUID = 1L;

    DeadlineExceededException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
