package dev.rcc.client;

/** The client is not authenticated, or lacks a role for its request. The request has had no effect. */
public final class PermissionException extends RccException {
    private static final long serialVersionUID = 1L;

    PermissionException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
