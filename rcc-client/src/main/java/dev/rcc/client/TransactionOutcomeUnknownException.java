package dev.rcc.client;

/**
 * The commit was sent, its answer was lost, and no gateway could tell its outcome in time. The transaction may have taken effect.
 * {@link RccClient#outcomeOf} asks again.
 */
public final class TransactionOutcomeUnknownException extends RccException {
    private static final long serialVersionUID = 1L;

    private final transient CommitTicket ticket;

    TransactionOutcomeUnknownException(CommitTicket ticket, String message, Throwable cause) {
        super(ErrorCode.OUTCOME_UNKNOWN, message, cause);
        this.ticket = ticket;
    }

    @Override
    RccException because(String message) {
        return new TransactionOutcomeUnknownException(ticket, message, this);
    }

    /** {@return the ticket with which to ask for the outcome later; null if the exception was serialized} */
    public CommitTicket ticket() {
        return ticket;
    }
}
