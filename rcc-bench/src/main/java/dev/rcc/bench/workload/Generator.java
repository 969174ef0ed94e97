package dev.rcc.bench.workload;

import dev.rcc.core.txn.Procedure;

/**
 * Draws the transactions of one coroutine, and keeps account of those that committed. Used on that coroutine, and by the
 * driver after the coroutine has ended. Allocates nothing per transaction.
 */
public interface Generator {
    /** Prepares the next transaction. The procedure is good until the next call. */
    Procedure next();

    /** The procedure that {@link #next} returned last has committed. */
    void committed();

    /** What the committed transactions did to the data, added up in the workload's own measure. */
    long tally();

    /** How often a committed transaction saw what it must never see. */
    default long anomalies() {
        return 0;
    }
}
