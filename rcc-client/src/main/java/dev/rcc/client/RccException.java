package dev.rcc.client;

import dev.rcc.client.wire.Message;

/**
 * An error of a client's call. There is a subclass for each way in which a caller may want to react, and a code for each cause; the message
 * says what to do. The transaction has had no effect, except after a {@link TransactionOutcomeUnknownException} or a
 * {@link ResultLostException}, and in one case of {@link BadRequestException}.
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

    /** The code of the cause. */
    private final ErrorCode code;

    /** The message without the code. */
    private final String text;

    /** Whether a gateway sent this error as the answer to a request. */
    private boolean fromGateway;

    RccException(ErrorCode code, String message, Throwable cause) {
        super(message + " [" + code + "]", cause);
        this.code = code;
        this.text = message;
    }

    /** {@return the stable code of the cause} */
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

    /** The reason why a gateway closes a connection, which does not tell the outcome of the requests on it. */
    static RccException ofConnection(Message.Failed failed) {
        return of(ErrorCode.of(failed.code()), failed.text(), null);
    }

    /** A copy with the caller's stack trace: an answer arrives on the connection's thread. */
    RccException here() {
        RccException e = because(text);
        e.fromGateway = fromGateway;
        return e;
    }

    /** An exception of the same class, with the same code, whose cause is this one. */
    RccException because(String message) {
        return of(code, message, this);
    }

    /** Whether a gateway sent this error as the answer to the request; otherwise the client made it. */
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
