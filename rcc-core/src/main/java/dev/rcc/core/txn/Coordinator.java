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
}
