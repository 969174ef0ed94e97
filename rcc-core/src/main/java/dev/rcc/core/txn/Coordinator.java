package dev.rcc.core.txn;

/** Runs the transactions of one coroutine under a protocol, one attempt at a time. */
public interface Coordinator {
    /**
     * Runs one attempt of the coroutine's transaction, which {@link Transaction#begin} has started, to
     * its end. With either outcome, nothing of the attempt is left behind on the participants that can be reached.
     *
     * @return the outcome; when aborted, {@link Transaction#abortReason} is the reason
     * @throws RuntimeException the procedure's exception, after the attempt was aborted
     */
    Outcome run(Procedure procedure);

    /**
     * The latest commit timestamp that any client can have seen: a client that asks to commit after a later one ({@link Transaction#minCommitTs})
     * cannot have seen it. Protocols that ignore such requests allow any.
     *
     * @param clusterNanos how old the cluster is, in nanoseconds
     */
    default long latestCommitTs(long clusterNanos) {
        return Long.MAX_VALUE;
    }
}
