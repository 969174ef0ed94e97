package dev.rcc.client.procedure;

import dev.rcc.client.Transaction;

/**
 * A procedure that is stored in the cluster and called by its name. Its class is public, has a public constructor without parameters, and is
 * named in its jar's {@code META-INF/services/dev.rcc.client.procedure.StoredProcedure}. Each server makes one object of the class at its start.
 * Several threads use the object at once, so it keeps no state.
 *
 * <p>{@link #run} is one transaction, and begins again from its beginning after a conflict. So it must act through {@code txn} only, do the same
 * whenever it reads the same, and not wait for anything else: files, other services, locks, sleep. It occupies a worker of its node until it
 * reads or returns. It must not swallow exceptions that it does not know.
 *
 * @param <A> the type of the argument
 * @param <R> the type of the result
 */
public interface StoredProcedure<A, R> {
    /** {@return the procedure's name and the types of its argument and result} Always the same. */
    ProcedureType<A, R> type();

    /**
     * Does the procedure's work. When it returns, the transaction commits; when it throws, the transaction has no effect.
     *
     * @param txn the transaction, to be used only while this method runs, and on this thread
     * @param argument the caller's argument
     * @return the result for the caller; null only if the codec accepts null
     * @throws ProcedureException to refuse, with a message for the caller
     * @throws dev.rcc.client.RccException from {@code txn}. The caller receives an exception with the same code, for instance when a record exists or
     *     is missing, unless the code is retryable or {@code INTERNAL}
     */
    R run(Transaction txn, A argument);

    /**
     * Declares keys that {@link #run} will access, as far as the argument shows them. It is never necessary to declare keys. It saves round trips
     * between nodes, and under CALVIN, which locks all keys at once, a trial run.
     *
     * @param keys receives the keys, while this method runs
     * @param argument the caller's argument, as for {@link #run}
     */
    default void declare(KeySet keys, A argument) {}
}
