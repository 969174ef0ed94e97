package dev.rcc.bench.workload;

import dev.rcc.core.txn.Procedure;

/**
 * Draws the transactions of one coroutine, and keeps account of those that committed. Used on that coroutine, and by the
 * driver after the coroutine has ended. Allocates nothing per transaction.
 */
public interface Generator extends Account {
    /** Prepares the next transaction. The procedure is good until the next call. */
    Procedure next();

    /** How long the client waits, in nanoseconds, before it begins what was prepared last, as a user does who reads and types. */
    default long pauseNanos() {
        return 0;
    }

    /** The procedure that {@link #next} returned last has committed. */
    void committed();

    /**
     * Prepares a transaction that only reads, and looks whether some of the data is as it must be while others write; null if the workload has none.
     * The first client of a run tries one each second. It allocates, and has no kind.
     */
    default Procedure look() {
        return null;
    }

    /** The procedure that {@link #look} returned last has committed: what it has seen was so. */
    default void looked() {}
}
