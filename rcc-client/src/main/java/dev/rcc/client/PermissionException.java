package dev.rcc.client;

/** The client has not proved who it is, or may not do what it asked for. Nothing has happened. */
public final class PermissionException extends RccException {
    private static final long serialVersionUID = 1L;

    PermissionException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
