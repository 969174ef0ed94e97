package dev.rcc.core.txn;

/**
 * Records what a checker needs to judge the history. Off by default; when off, it costs one comparison per transaction.
 */
@FunctionalInterface
public interface HistoryRecorder {
    /**
     * A transaction has committed. Its accesses say which version of each key it read ({@link Access#version}, 0 for a
     * key without a record) and which ones it wrote ({@link Access#isWrite}, at {@link Transaction#commitTs}). Of a record that it wrote
     * blindly ({@link Access#isBlind}) it read no version. Called on the transaction's worker; what it needs it must copy.
     *
     * @param beginNanos when the committed attempt began, on the worker's monotonic clock
     * @param endNanos when the commit was known to the coordinator, on the same clock
     */
    void committed(Transaction txn, long beginNanos, long endNanos);

    /**
     * The writes of an attempt are about to be logged: from now on it may come to have committed, even if its coordinator does not
     * live to know that. Called as {@link #committed}; unless the node is lost, that or {@link #aborted} follows.
     *
     * @param beginNanos when the attempt began
     */
    default void logging(Transaction txn, long beginNanos) {}

    /**
     * An attempt whose {@link Transaction#commitTs} had been drawn is being aborted. A transaction that reads a version that it was to
     * write has read what never was, or what recovery has finished. Called as {@link #committed}.
     *
     * @param beginNanos when the attempt began
     * @param endNanos when it failed
     */
    default void aborted(Transaction txn, long beginNanos, long endNanos) {}

    /** An attempt was aborted, for {@link Transaction#abortReason}, whether or not there is to be another. Called as {@link #committed}. */
    default void attemptAborted(Transaction txn) {}
}
