package dev.rcc.bench.workload;

import dev.rcc.client.CallOptions;
import dev.rcc.client.RccClient;
import dev.rcc.client.Transaction;
import dev.rcc.core.txn.Procedure;

/**
 * Draws the transactions of one client of the client library, and keeps account of those that committed. Used on that client's thread, and
 * by the driver after the client has ended.
 */
public interface ClientGenerator extends Account {
    /** Draws the next transaction. */
    void next();

    /** How long the client waits, in nanoseconds, before it begins what was drawn, as a user does who reads and types. */
    default long pauseNanos() {
        return 0;
    }

    /** The kind of what was drawn, as {@link dev.rcc.core.txn.Procedure#kind}. */
    default int kind() {
        return Procedure.NO_KIND;
    }

    /** Whether what was drawn only reads. */
    boolean isReadOnly();

    /** The options near a record that what was drawn has to do with. */
    CallOptions near(CallOptions options);

    /**
     * Does what was drawn, interactively; may run several times.
     *
     * @throws dev.rcc.client.procedure.ProcedureException to give up: the transaction has no effect
     */
    void perform(Transaction txn);

    /**
     * Has what was drawn done by a stored procedure.
     *
     * @throws dev.rcc.client.ProcedureFailedException when it has given up
     */
    void call(RccClient client, CallOptions options);

    /** Whether the workload has something to {@link #look} at. */
    default boolean looks() {
        return false;
    }

    /**
     * Looks, by a transaction that only reads, whether some of the data is as it must be while others write; may run several times. The first client
     * of a run does so each second.
     */
    default void look(Transaction txn) {}

    /** The transaction that {@link #look} was called in last has committed: what it has seen was so. */
    default void looked() {}

    /** What was drawn has committed, as it was performed or called last. */
    void committed();

    /**
     * What was drawn has given up.
     *
     * @throws IllegalStateException when it has no reason to
     */
    void gaveUp(RuntimeException why);
}
