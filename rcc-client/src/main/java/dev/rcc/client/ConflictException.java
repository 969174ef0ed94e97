package dev.rcc.client;

/** The transaction conflicts with other transactions, and so cannot commit. It has had no effect; it may succeed when it is tried again. */
public final class ConflictException extends RccException {
    private static final long serialVersionUID = 1L;

    ConflictException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
