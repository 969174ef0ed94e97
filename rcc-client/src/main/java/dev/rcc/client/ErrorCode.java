package dev.rcc.client;

/** What can go wrong, one entry a cause. The numbers are stable, travel on the wire, and are never reused. */
public enum ErrorCode {
    /** The transaction met others that it cannot be ordered with. It has had no effect: begin again. */
    CONFLICT(100, true),
    /** The time given to the transaction was over. It has had no effect. */
    DEADLINE_EXCEEDED(101, false),
    /** The commit was sent and its answer lost, and the cluster cannot tell what became of it. */
    OUTCOME_UNKNOWN(102, false),
    /** The transaction waited for its client for too long and was aborted. */
    TRANSACTION_EXPIRED(103, true),
    /** The place of the commit's outcome is another client's: begin again, and name the commit by another slot. */
    OUTCOME_SLOT_TAKEN(104, true),
    /** The stored procedure has committed, and its result was lost: read what it has written. */
    RESULT_LOST(105, false),
    /** The lock was not granted in time. */
    LOCK_NOT_GRANTED(106, false),
    /** The lock is not held any more, or a later holder has fenced it. */
    LOCK_LOST(107, false),
    /** There is no record under the key. */
    NOT_FOUND(110, false),
    /** There is a record under the key already. */
    ALREADY_EXISTS(111, false),
    /** The stored procedure has refused or failed, and so has had no effect. */
    PROCEDURE_FAILED(112, false),
    /** A unique index has another record with the same key. The transaction has had no effect. */
    DUPLICATE_KEY(113, false),
    /** The request makes no sense, such as a scan of a table that is not ordered. */
    BAD_REQUEST(200, false),
    /** There is no such table. */
    NO_SUCH_TABLE(201, false),
    /** There is no such transaction: it was not begun, or has ended. */
    NO_SUCH_TRANSACTION(202, false),
    /** The transaction, or one of its parts, is larger than allowed. */
    LIMIT_EXCEEDED(203, false),
    /** The bytes are not those of this protocol. */
    MALFORMED_FRAME(204, false),
    /** Client and gateway speak no common version of the protocol. */
    UNSUPPORTED_VERSION(205, false),
    /** There is no stored procedure with this name. */
    NO_SUCH_PROCEDURE(206, false),
    /** The client has not proved who it is. */
    UNAUTHENTICATED(300, false),
    /** The client may not do that. */
    PERMISSION_DENIED(301, false),
    /** A node that had to take part cannot be reached, or the gateway is closing. */
    UNAVAILABLE(400, true),
    /** The gateway has too much to do. */
    OVERLOADED(401, true),
    /** The table has no room for another key. */
    TABLE_FULL(402, false),
    /** The server failed; its log says why. */
    INTERNAL(500, false);

    private final int number;
    private final boolean retryable;

    ErrorCode(int number, boolean retryable) {
        this.number = number;
        this.retryable = retryable;
    }

    /** {@return the stable number, by which the code travels} */
    public int number() {
        return number;
    }

    /** {@return whether the same transaction may succeed when it is tried again from the beginning} */
    public boolean isRetryable() {
        return retryable;
    }

    /**
     * {@return the code with a number} It is {@link #INTERNAL} for one that only a newer server knows.
     *
     * @param number as {@link #number} has it
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
