package dev.rcc.bench.workload;

import dev.rcc.core.txn.Procedure;

/**
 * Draws the transactions of one coroutine, and keeps account of the committed ones. Used on that coroutine, and by the
 * driver after the coroutine has ended. Allocates nothing per transaction.
 */
public interface Generator extends Account {
    /** Prepares the next transaction. The procedure is valid until the next call. */
    Procedure next();

    /** How long the client waits, in nanoseconds, before it begins the transaction prepared last, as a user does who reads and types. */
    default long pauseNanos() {
        return 0;
    }

    /** Called when the procedure that {@link #next} returned last has committed. */
    void committed();

    /**
     * Prepares a read-only transaction that checks whether some of the data is consistent while other clients write; null if the workload has none.
     * The first client of a run runs one each second. The transaction allocates, and has no kind.
     */
    default Procedure look() {
        return null;
    }

    /** Called when the procedure that {@link #look} returned last has committed: only then does the state that it read count. */
    default void looked() {}
}
