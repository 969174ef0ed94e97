package dev.rcc.client;

/**
 * The stored procedure has committed, and its result was lost with the gateway that knew it: it was larger than those that the cluster keeps. What
 * it has written can be read.
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
