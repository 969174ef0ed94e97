package dev.rcc.client;

/**
 * The request is not valid: the program or the cluster's configuration has to be changed. The transaction has had no effect, with one exception: a
 * stored procedure whose result the client's codec cannot read has taken effect, and the message says so.
 */
public final class BadRequestException extends RccException {
    private static final long serialVersionUID = 1L;

    BadRequestException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
