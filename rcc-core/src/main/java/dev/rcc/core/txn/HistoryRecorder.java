package dev.rcc.core.txn;

/**
 * Records the data that a checker needs to judge the history. Off by default; when off, it costs one comparison per transaction.
 */
@FunctionalInterface
public interface HistoryRecorder {
    /**
     * A transaction has committed. Its accesses contain the version of each key that it read ({@link Access#version}, 0 for a key without a record)
     * and show the keys that it wrote ({@link Access#isWrite}, at {@link Transaction#commitTs}). Of a record that it wrote blindly
     * ({@link Access#isBlind}) it read no version. Called on the transaction's worker; the recorder must copy the data that it keeps.
     *
     * @param beginNanos when the committed attempt began, on the worker's monotonic clock
     * @param endNanos when the coordinator observed the commit, on the same clock
     */
    void committed(Transaction txn, long beginNanos, long endNanos);

    /**
     * The writes of an attempt are about to be logged: from now on it may turn out to have committed, even if its coordinator dies before it finds
     * out. Called as {@link #committed}; unless the node is lost, {@link #committed} or {@link #aborted} follows.
     *
     * @param beginNanos when the attempt began
     */
    default void logging(Transaction txn, long beginNanos) {}

    /**
     * An attempt whose {@link Transaction#commitTs} had been drawn is being aborted. A transaction that reads a version of this attempt has read a
     * write that never took effect, or one that recovery has finished: after {@link AbortReason#PEER_UNREACHABLE}, the other nodes may still find that
     * the attempt has committed, until {@link #attemptAborted} is called. Called as {@link #committed}.
     *
     * @param beginNanos when the attempt began
     * @param endNanos when it failed
     */
    default void aborted(Transaction txn, long beginNanos, long endNanos) {}

    /**
     * An attempt was aborted, for {@link Transaction#abortReason}, whether or not there is to be another. If the cluster is reconfigured when nodes are
     * lost, no node can find any more that the attempt has committed. Called as {@link #committed}.
     */
    default void attemptAborted(Transaction txn) {}
}
