package dev.rcc.client;

/** There is no record under the key. */
public final class RecordNotFoundException extends RccException {
    private static final long serialVersionUID = 1L;

    RecordNotFoundException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
