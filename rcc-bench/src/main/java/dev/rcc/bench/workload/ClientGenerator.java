package dev.rcc.bench.workload;

import dev.rcc.client.CallOptions;
import dev.rcc.client.RccClient;
import dev.rcc.client.Transaction;
import dev.rcc.core.txn.Procedure;

/**
 * Draws the transactions of one client of the client library, and keeps account of the committed ones. Used on that client's thread, and
 * by the driver after the client has ended.
 */
public interface ClientGenerator extends Account {
    /** Draws the next transaction. */
    void next();

    /** How long the client waits, in nanoseconds, before it begins the drawn transaction, as a user does who reads and types. */
    default long pauseNanos() {
        return 0;
    }

    /** The kind of the drawn transaction, as {@link dev.rcc.core.txn.Procedure#kind}. */
    default int kind() {
        return Procedure.NO_KIND;
    }

    /** Whether the drawn transaction only reads. */
    boolean isReadOnly();

    /** The options near a record at whose node the drawn transaction best begins. */
    CallOptions near(CallOptions options);

    /**
     * Runs the drawn transaction, interactively; may run several times.
     *
     * @throws dev.rcc.client.procedure.ProcedureException if the transaction gives up: the transaction has no effect
     */
    void perform(Transaction txn);

    /**
     * Runs the drawn transaction by a stored procedure.
     *
     * @throws dev.rcc.client.ProcedureFailedException when the procedure gave up
     */
    void call(RccClient client, CallOptions options);

    /** Whether the workload has a consistency check for {@link #look}. */
    default boolean looks() {
        return false;
    }

    /**
     * Checks by a read-only transaction whether some of the data is consistent while other clients write; may run several times. The first client
     * of a run does so each second.
     */
    default void look(Transaction txn) {}

    /** Called when the transaction of the last {@link #look} has committed: only then does the state that it read count. */
    default void looked() {}

    /** Called when the drawn transaction has committed, as it was performed or called last. */
    void committed();

    /**
     * Called when the drawn transaction has given up.
     *
     * @throws IllegalStateException when the transaction has no reason to give up
     */
    void gaveUp(RuntimeException why);
}
