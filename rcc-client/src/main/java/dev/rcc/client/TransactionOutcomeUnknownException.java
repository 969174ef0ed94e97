package dev.rcc.client;

/**
 * The commit was sent, its answer was lost, and the cluster could not tell in time what became of it. The transaction may have
 * taken effect. {@link RccClient#outcomeOf} asks again.
 */
public final class TransactionOutcomeUnknownException extends RccException {
    private static final long serialVersionUID = 1L;

    private final transient CommitTicket ticket;

    TransactionOutcomeUnknownException(CommitTicket ticket, String message, Throwable cause) {
        super(ErrorCode.OUTCOME_UNKNOWN, message, cause);
        this.ticket = ticket;
    }

    /** {@return what is needed to ask later; null if the exception was serialized} */
    public CommitTicket ticket() {
        return ticket;
    }
}
