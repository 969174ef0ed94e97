package dev.rcc.client;

/** The stored procedure has committed, and its result was lost with the gateway that knew it. What it has written can be read. */
public final class ResultLostException extends RccException {
    private static final long serialVersionUID = 1L;

    ResultLostException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
