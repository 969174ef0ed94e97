package dev.rcc.client;

/**
 * A transaction that the program commits or aborts itself. It is not tried again: a {@link ConflictException} ends it. Closing it
 * aborts it unless it has ended.
 */
public interface OpenTransaction extends Transaction, AutoCloseable {
    /**
     * Commits.
     *
     * @throws ConflictException when it cannot: it has had no effect
     * @throws TransactionOutcomeUnknownException when no gateway can tell in time whether it has
     */
    void commit();

    /** Gives the transaction up: it has no effect. Does nothing if it has ended. */
    void abort();

    /**
     * Gives the transaction up, as {@link #abort}, and waits to hear whether what it had read was true at one moment. If it was not,
     * whatever the program concluded from it, an exception for instance, says nothing, and the transaction had better be begun again.
     *
     * @return false if it was not; true if it was, if the transaction had ended before, or if that is not known any more
     */
    boolean abortAndAsk();

    /** Aborts the transaction unless it has ended. */
    @Override
    default void close() {
        abort();
    }
}
