package dev.rcc.client.procedure;

import dev.rcc.client.Transaction;

/**
 * A procedure that is stored in the cluster and called by its name. Its class is public, has a public constructor without parameters, and is
 * named in its jar's {@code META-INF/services/dev.rcc.client.procedure.StoredProcedure}; each server makes one object of it at its start,
 * which is used by several threads at once and therefore keeps nothing.
 *
 * <p>{@link #run} is one transaction, and begins again from its beginning after a conflict. So it must do nothing but through
 * {@code txn}, the same whenever it reads the same, and must not wait for anything else: files, other services, locks, sleep. It occupies
 * a worker of its node until it reads or returns. Whatever it catches, it must let exceptions pass that it does not know.
 *
 * @param <A> what the program calls the argument
 * @param <R> what the program calls the result
 */
public interface StoredProcedure<A, R> {
    /** {@return what it is called by, and what it takes and gives} Always the same. */
    ProcedureType<A, R> type();

    /**
     * Does the procedure's work. When it returns, the transaction commits; when it throws, the transaction has no effect.
     *
     * @param txn the transaction, for as long as this method runs and on this thread only
     * @param argument what the caller has given
     * @return what the caller is given; null only if the codec takes that
     * @throws ProcedureException to refuse, with a message that the caller gets
     * @throws dev.rcc.client.RccException of {@code txn}: the caller gets it, too, if it is about records that are there or are not
     */
    R run(Transaction txn, A argument);

    /**
     * Names keys that {@link #run} will access, as far as the argument shows them. To name them is never necessary: it saves
     * round trips between nodes, and under CALVIN, which locks all keys at once, a trial run.
     *
     * @param keys takes the keys, for as long as this method runs
     * @param argument what the caller has given, as {@link #run} gets it
     */
    default void declare(KeySet keys, A argument) {}
}
