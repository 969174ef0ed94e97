package dev.rcc.client;

/**
 * The transaction has committed, but its result was lost. A stored procedure's result is lost if it is larger than the results that the cluster
 * keeps, and the gateway that had it is gone or has forgotten it. The answer to the operation of {@link RccClient#insert}, {@link RccClient#patch}
 * or {@link RccClient#delete} is lost with its connection, or did not arrive in time. The records that the transaction wrote can be read.
 */
public final class ResultLostException extends RccException {
    private static final long serialVersionUID = 1L;

    private final transient CommitTicket ticket;

    ResultLostException(CommitTicket ticket, String message, Throwable cause) {
        super(ErrorCode.RESULT_LOST, message, cause);
        this.ticket = ticket;
    }

    @Override
    RccException because(String message) {
        return new ResultLostException(ticket, message, this);
    }

    /** {@return the commit of a stored procedure; null for the other operations, and if the exception was serialized} */
    public CommitTicket ticket() {
        return ticket;
    }
}
