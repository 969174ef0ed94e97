package dev.rcc.client;

/**
 * The transaction has committed, and what it has returned was lost: the result of a stored procedure with the gateway that knew it, as it was
 * larger than those that the cluster keeps; or the answer to the operation of {@link RccClient#insert} or {@link RccClient#delete} with its
 * connection. What the transaction has written can be read.
 */
public final class ResultLostException extends RccException {
    private static final long serialVersionUID = 1L;

    private final transient CommitTicket ticket;

    ResultLostException(CommitTicket ticket, String message, Throwable cause) {
        super(ErrorCode.RESULT_LOST, message, cause);
        this.ticket = ticket;
    }

    /** {@return which commit it was; null if the exception was serialized} */
    public CommitTicket ticket() {
        return ticket;
    }
}
