package dev.rcc.core.txn;

import dev.rcc.core.worker.Worker;

/**
 * Runs procedures on a coroutine, each until it has committed or given up: attempts, backoff, ages, measurements and
 * history are here, the same under every protocol.
 */
public final class TransactionRunner {
    private final Transaction txn;
    private final Worker worker;
    private final Coordinator coordinator;
    private final RetryPolicy retries;
    private final TransactionMetrics metrics;
    private final HistoryRecorder history;
    private final Admission admission;
    private long beginNanos;
    private final IndexedProcedure indexed;

    /**
     * Creates the runner of a coroutine.
     *
     * @param metrics the worker's
     * @param history told of how attempts end, or null
     * @param admission whether new transactions are taken
     */
    public TransactionRunner(
            Transaction txn,
            Coordinator coordinator,
            RetryPolicy retries,
            TransactionMetrics metrics,
            HistoryRecorder history,
            Admission admission) {
        this.txn = txn;
        this.admission = admission;
        this.worker = txn.coroutine().worker();
        this.coordinator = coordinator;
        this.retries = retries;
        this.metrics = metrics;
        this.history = history;
        if (history != null) {
            txn.onFailedLog(() -> history.aborted(txn, beginNanos, worker.nanoTime()));
        }
        this.indexed = new IndexedProcedure();
    }

    /**
     * Runs a procedure to its end. Called on the coroutine.
     *
     * @return {@link Outcome#COMMITTED}, or {@link Outcome#ABORTED} with {@link Transaction#abortReason} when the last
     *     allowed attempt was aborted or the reason is final
     * @throws RuntimeException what the procedure threw; the transaction has had no effect
     */
    public Outcome run(Procedure procedure) {
        long startNanos = worker.nanoTime();
        beginNanos = startNanos;
        txn.begin(true);
        if (admission.isClosed()) {
            txn.abort(AbortReason.NODE_DRAINING);
            return Outcome.ABORTED;
        }
        while (true) {
            long roundTrips = txn.completion().roundTrips();
            Outcome outcome = coordinator.run(indexed.of(procedure));
            metrics.attempted(outcome, txn.abortReason(), txn.completion().roundTrips() - roundTrips);
            if (outcome == Outcome.COMMITTED) {
                long endNanos = worker.nanoTime();
                metrics.committed(endNanos - startNanos);
                if (history != null) {
                    history.committed(txn, beginNanos, endNanos);
                }
                return outcome;
            }
            if (!txn.abortReason().isRetryable() || txn.attempt() + 1 >= retries.maxAttempts()) {
                return outcome;
            }
            txn.coroutine().sleep(retries.backoffNanos(txn.attempt(), worker));
            beginNanos = worker.nanoTime();
            txn.begin(false);
        }
    }

    /** A procedure whose inserts and deletes are carried into the ordered indexes when it is done. */
    private static final class IndexedProcedure implements Procedure {
        private Procedure procedure;

        IndexedProcedure of(Procedure newProcedure) {
            procedure = newProcedure;
            return this;
        }

        @Override
        public void declare(Transaction txn) {
            procedure.declare(txn);
        }

        @Override
        public void execute(Transaction txn) {
            procedure.execute(txn);
            if (txn.abortReason() == null) {
                txn.index().complete();
            }
        }
    }

    /** The coroutine's transaction. */
    public Transaction transaction() {
        return txn;
    }
}
