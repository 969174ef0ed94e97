package dev.rcc.core.txn;

/** Runs the transactions of one coroutine under a protocol, one attempt at a time. */
public interface Coordinator {
    /**
     * Runs one attempt of the coroutine's transaction, which {@link Transaction#begin} has started, to
     * its end. Whatever the outcome, nothing of the attempt is left behind on the participants that can be reached.
     *
     * @return what became of it; when aborted, {@link Transaction#abortReason} says why
     * @throws RuntimeException what the procedure threw, after the attempt was aborted
     */
    Outcome run(Procedure procedure);

    /**
     * The latest commit timestamp that any client can have seen: a client that asks to come after a later one
     * ({@link Transaction#minCommitTs}) has not seen it. Protocols that do not heed such wishes allow any.
     *
     * @param clusterNanos how old the cluster is, in nanoseconds
     */
    default long latestCommitTs(long clusterNanos) {
        return Long.MAX_VALUE;
    }
}
