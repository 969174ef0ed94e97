package dev.rcc.client;

import dev.rcc.client.wire.Message;

/**
 * What a client's call can end with. There is a subclass for each way in which a caller may want to react, and a code for each
 * cause; the message says what to do. But for {@link TransactionOutcomeUnknownException} and
 * {@link ResultLostException} the transaction has had no effect.
 */
public abstract sealed class RccException extends RuntimeException
        permits ConflictException,
                DeadlineExceededException,
                TransactionOutcomeUnknownException,
                ResultLostException,
                ProcedureFailedException,
                RecordNotFoundException,
                RecordExistsException,
                BadRequestException,
                PermissionException,
                UnavailableException,
                LockException,
                ServerException {
    private static final long serialVersionUID = 1L;

    /** The cause. */
    private final ErrorCode code;

    /** The message without the code. */
    private final String text;

    /** Whether a gateway has answered so. */
    private boolean fromGateway;

    RccException(ErrorCode code, String message, Throwable cause) {
        super(message + " [" + code + "]", cause);
        this.code = code;
        this.text = message;
    }

    /** {@return the cause, by its stable code} */
    public ErrorCode code() {
        return code;
    }

    /** {@return whether the same transaction may succeed when it is tried again} {@link RccClient#transact} does so itself. */
    public boolean isRetryable() {
        return code.isRetryable();
    }

    static RccException of(Message.Failed failed) {
        RccException e = of(ErrorCode.of(failed.code()), failed.text(), null);
        e.fromGateway = true;
        return e;
    }

    /** Why a gateway closes the connection: it says nothing of what became of the requests on it. */
    static RccException ofConnection(Message.Failed failed) {
        return of(ErrorCode.of(failed.code()), failed.text(), null);
    }

    /** The same on the caller's stack: an answer arrives on a thread that knows nothing of the caller. */
    RccException here() {
        RccException e = of(code, text, this);
        e.fromGateway = fromGateway;
        return e;
    }

    /** Whether a gateway has answered the request so, and not the client itself. */
    boolean isFromGateway() {
        return fromGateway;
    }

    static RccException of(ErrorCode code, String message, Throwable cause) {
        return switch (code) {
            case CONFLICT, OUTCOME_SLOT_TAKEN -> new ConflictException(code, message, cause);
            case DEADLINE_EXCEEDED, TRANSACTION_EXPIRED -> new DeadlineExceededException(code, message, cause);
            case RESULT_LOST -> new ResultLostException(null, message, cause);
            case PROCEDURE_FAILED -> new ProcedureFailedException(code, message, cause);
            case NOT_FOUND -> new RecordNotFoundException(code, message, cause);
            case ALREADY_EXISTS, DUPLICATE_KEY -> new RecordExistsException(code, message, cause);
            case BAD_REQUEST,
                    NO_SUCH_TABLE,
                    NO_SUCH_TRANSACTION,
                    NO_SUCH_PROCEDURE,
                    LIMIT_EXCEEDED,
                    MALFORMED_FRAME,
                    UNSUPPORTED_VERSION -> new BadRequestException(code, message, cause);
            case UNAUTHENTICATED, PERMISSION_DENIED -> new PermissionException(code, message, cause);
            case UNAVAILABLE, OVERLOADED, TABLE_FULL -> new UnavailableException(code, message, cause);
            case LOCK_NOT_GRANTED, LOCK_LOST -> new LockException(code, message, cause);
            case INTERNAL, OUTCOME_UNKNOWN -> new ServerException(code, message, cause);
        };
    }
}
