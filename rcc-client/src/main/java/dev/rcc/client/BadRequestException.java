package dev.rcc.client;

/** The cluster cannot do what it was asked for: the program has to be changed. The transaction has had no effect. */
public final class BadRequestException extends RccException {
    private static final long serialVersionUID = 1L;

    BadRequestException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
