package dev.rcc.client;

/** No gateway, or no node that would have had to take part, can be reached or has room. The transaction has had no effect. */
public final class UnavailableException extends RccException {
    private static final long serialVersionUID = 1L;

    UnavailableException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
