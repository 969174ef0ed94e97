package dev.rcc.client;

/** A gateway, or a node that the transaction needs, cannot be reached or has no room. The transaction has had no effect. */
public final class UnavailableException extends RccException {
    private static final long serialVersionUID = 1L;

    UnavailableException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
