package dev.rcc.client;

/** The server failed; its log has the cause. The transaction has had no effect. */
public final class ServerException extends RccException {
    private static final long serialVersionUID = 1L;

    ServerException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
