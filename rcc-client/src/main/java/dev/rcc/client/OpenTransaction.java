package dev.rcc.client;

/**
 * A transaction that the program commits or aborts itself. It is not tried again: a {@link ConflictException} ends it. Closing the
 * transaction aborts it unless it has ended.
 */
public interface OpenTransaction extends Transaction, AutoCloseable {
    /**
     * Commits the transaction.
     *
     * @throws ConflictException when it conflicts with other transactions: it has had no effect
     * @throws DeadlineExceededException when its deadline has passed: it has had no effect
     * @throws TransactionOutcomeUnknownException when no gateway can tell in time whether it has committed
     * @throws IllegalStateException when it has ended before
     */
    void commit();

    /** Aborts the transaction: it has no effect. Does not wait for the gateway. Does nothing if the transaction has ended. */
    void abort();

    /**
     * Aborts the transaction, as {@link #abort}, and waits for the gateway's answer whether all of its reads were true at one moment. If they were
     * not, the program's conclusions from them, such as an exception, are not valid, and the program should run the transaction again.
     *
     * @return false if the reads were not true at one moment, or if the gateway has ended the transaction before they were checked, as when its time
     *     is over. True if they were, if the transaction had ended or failed before in the program's view, or if no gateway knows any more
     */
    boolean abortAndAsk();

    /** Aborts the transaction unless it has ended. */
    @Override
    default void close() {
        abort();
    }
}
