package dev.rcc.client;

/** The causes of errors. Their numbers are stable, travel on the wire, and are never reused. */
public enum ErrorCode {
    /** The transaction conflicts with other transactions. It has had no effect: begin again. */
    CONFLICT(100, true),
    /** The transaction's deadline has passed. It has had no effect. */
    DEADLINE_EXCEEDED(101, false),
    /** The commit was sent, its answer was lost, and no gateway can tell its outcome. */
    OUTCOME_UNKNOWN(102, false),
    /** The transaction waited for its client for too long and was aborted. */
    TRANSACTION_EXPIRED(103, true),
    /** The slot of the commit's outcome belongs to another client: begin again, and name the commit by another slot. */
    OUTCOME_SLOT_TAKEN(104, true),
    /** The stored procedure has committed, and its result was lost: read what it has written. */
    RESULT_LOST(105, false),
    /** The lock was not granted in time. */
    LOCK_NOT_GRANTED(106, false),
    /** The lock is no longer held, or a later holder has fenced a transaction by it. */
    LOCK_LOST(107, false),
    /** The key has no record. */
    NOT_FOUND(110, false),
    /** The key has a record already. */
    ALREADY_EXISTS(111, false),
    /** The stored procedure has refused or failed. It has had no effect. */
    PROCEDURE_FAILED(112, false),
    /** A unique index has another record with the same index key. The transaction has had no effect. */
    DUPLICATE_KEY(113, false),
    /** The request is not valid, such as a scan of a table that is not ordered. */
    BAD_REQUEST(200, false),
    /** There is no such table. */
    NO_SUCH_TABLE(201, false),
    /** There is no such transaction: it was not begun, or has ended. */
    NO_SUCH_TRANSACTION(202, false),
    /** The transaction, or one of its parts, is larger than allowed. */
    LIMIT_EXCEEDED(203, false),
    /** The bytes are not a frame of this protocol. */
    MALFORMED_FRAME(204, false),
    /** Client and gateway have no version of the protocol in common, or the gateway's version is too old for the request. */
    UNSUPPORTED_VERSION(205, false),
    /** There is no stored procedure with this name. */
    NO_SUCH_PROCEDURE(206, false),
    /** The client is not authenticated. */
    UNAUTHENTICATED(300, false),
    /** The client's user lacks a role for the request. */
    PERMISSION_DENIED(301, false),
    /** The gateway, or a node that the transaction needs, cannot be reached, or the gateway is closing. */
    UNAVAILABLE(400, true),
    /** The gateway is overloaded. */
    OVERLOADED(401, true),
    /** The table has no room for another key. */
    TABLE_FULL(402, false),
    /** The server failed; its log has the cause. */
    INTERNAL(500, false);

    private final int number;
    private final boolean retryable;

    ErrorCode(int number, boolean retryable) {
        this.number = number;
        this.retryable = retryable;
    }

    /** {@return the stable number of the code on the wire} */
    public int number() {
        return number;
    }

    /** {@return whether the same transaction may succeed when it is tried again from the beginning} */
    public boolean isRetryable() {
        return retryable;
    }

    /**
     * {@return the code with a number} It is {@link #INTERNAL} for a number that only a newer server knows.
     *
     * @param number the code's {@link #number}
     */
    public static ErrorCode of(int number) {
        for (ErrorCode code : values()) {
            if (code.number == number) {
                return code;
            }
        }
        return INTERNAL;
    }
}
