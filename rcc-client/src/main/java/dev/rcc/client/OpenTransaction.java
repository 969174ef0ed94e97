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
     * @throws TransactionOutcomeUnknownException when nobody can tell whether it has
     */
    void commit();

    /** Gives the transaction up: it has no effect. Does nothing if it has ended. */
    void abort();

    /** Aborts the transaction unless it has ended. */
    @Override
    default void close() {
        abort();
    }
}
