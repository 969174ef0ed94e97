package dev.rcc.core.txn;

import dev.rcc.core.worker.Worker;

/**
 * Runs procedures on a coroutine, each until it has committed or given up: it handles attempts, backoff, ages, measurements and history, in the same
 * way under every protocol.
 */
public final class TransactionRunner {
    private final Transaction txn;
    private final Worker worker;
    private final Coordinator coordinator;
    private final RetryPolicy retries;
    private final AttemptGate gate;
    private final TransactionMetrics metrics;
    private final HistoryRecorder history;
    private final String protocol;
    private long beginNanos;
    /** Attempts of the transaction that ended without a conflict, as {@link AbortReason#UPGRADED} or {@link AbortReason#RECONFIGURED}. */
    private int unopposed;

    private final IndexedProcedure indexed = new IndexedProcedure();

    /** Creates the runner of a coroutine in a cluster that is never reconfigured. */
    public TransactionRunner(
            Transaction txn,
            Coordinator coordinator,
            RetryPolicy retries,
            TransactionMetrics metrics,
            HistoryRecorder history) {
        this("", txn, coordinator, retries, new AttemptGate(0, new Admission()), metrics, history);
    }

    /**
     * Creates the runner of a coroutine.
     *
     * @param protocol the protocol's name, for recorded events
     * @param gate the worker's gate
     * @param metrics the worker's metrics
     * @param history records how attempts end, or null
     */
    public TransactionRunner(
            String protocol,
            Transaction txn,
            Coordinator coordinator,
            RetryPolicy retries,
            AttemptGate gate,
            TransactionMetrics metrics,
            HistoryRecorder history) {
        this.protocol = protocol;
        this.txn = txn;
        this.worker = txn.coroutine().worker();
        this.coordinator = coordinator;
        this.retries = retries;
        this.gate = gate;
        this.metrics = metrics;
        this.history = history;
        if (history != null) {
            txn.onLog(
                    () -> history.logging(txn, beginNanos), () -> history.aborted(txn, beginNanos, worker.nanoTime()));
        }
    }

    /**
     * Runs a procedure to its end. Called on the coroutine.
     *
     * @return {@link Outcome#COMMITTED}, or {@link Outcome#ABORTED} with {@link Transaction#abortReason} when the last
     *     allowed attempt was aborted or the reason is final
     * @throws RuntimeException the procedure's exception; the transaction has had no effect
     */
    public Outcome run(Procedure procedure) {
        TransactionEvent event = TransactionEvent.beginIfRecorded();
        if (event == null) {
            return runUnrecorded(procedure);
        }
        Outcome outcome = null;
        try {
            outcome = runUnrecorded(procedure);
        } finally {
            record(event, outcome);
        }
        return outcome;
    }

    private void record(TransactionEvent event, Outcome outcome) {
        event.node = worker.node();
        event.worker = worker.index();
        event.coroutine = txn.coroutine().id();
        event.protocol = protocol;
        event.outcome = outcome == null ? "FAILED" : outcome.name();
        event.abortReason = outcome == Outcome.ABORTED ? txn.abortReason().name() : null;
        event.attempts = txn.attempt() + 1;
        event.commit();
    }

    private Outcome runUnrecorded(Procedure procedure) {
        int kind = procedure.kind();
        long startNanos = worker.nanoTime();
        if (gate.isRefusing()) {
            txn.begin(true);
            txn.abort(AbortReason.NODE_DRAINING);
            return Outcome.ABORTED;
        }
        boolean first = true;
        unopposed = 0;
        while (true) {
            if (!gate.enter(txn.coroutine(), first ? startNanos : worker.nanoTime())) {
                txn.begin(first);
                txn.abort(AbortReason.NO_MAJORITY);
                return Outcome.ABORTED;
            }
            long configEpoch = gate.configEpoch();
            beginNanos = first ? startNanos : worker.nanoTime();
            Outcome outcome;
            try {
                txn.begin(first);
                first = false;
                outcome = attempt(procedure, kind);
            } finally {
                txn.ended();
                gate.leave();
            }
            if (outcome == Outcome.COMMITTED) {
                long endNanos = gate.awaitLease(txn.coroutine());
                metrics.committed(kind, endNanos - startNanos);
                if (txn.isExecutedByParticipants()) {
                    metrics.executedByParticipants();
                }
                if (history != null) {
                    history.committed(txn, beginNanos, endNanos);
                }
                return outcome;
            }
            if (txn.abortReason() == AbortReason.PEER_UNREACHABLE && txn.hasLogged()) {
                gate.awaitSettled(configEpoch, txn.coroutine());
            }
            if (history != null) {
                history.attemptAborted(txn);
            }
            if (txn.attempt() + 1 >= retries.maxAttempts()) {
                if (isRetryable()) {
                    metrics.gaveUp(kind);
                }
                return outcome;
            }
            if (!mayTryAgain(configEpoch)) {
                return outcome;
            }
        }
    }

    private Outcome attempt(Procedure procedure, int kind) {
        long roundTrips = txn.completion().roundTrips();
        Outcome outcome = coordinator.run(indexed.of(procedure));
        metrics.attempted(kind, outcome, txn.abortReason(), txn.completion().roundTrips() - roundTrips);
        if (txn.crossings() != null) {
            metrics.crossings().attempted(outcome, txn.crossings());
        }
        return outcome;
    }

    /** Whether the reason of the abort allows another attempt. */
    private boolean isRetryable() {
        AbortReason reason = txn.abortReason();
        return reason.isRetryable() || (reason == AbortReason.PEER_UNREACHABLE && gate.isReconfigured());
    }

    /** Waits until it is time for the next attempt, if there is to be one. */
    private boolean mayTryAgain(long configEpoch) {
        if (!isRetryable()) {
            return false;
        }
        if (txn.abortReason() == AbortReason.PEER_UNREACHABLE) {
            return gate.awaitAfter(configEpoch, txn.coroutine());
        }
        if (txn.abortReason() == AbortReason.UPGRADED || txn.abortReason() == AbortReason.RECONFIGURED) {
            unopposed++; // no conflict: there is no transaction to wait for
            return true;
        }
        txn.coroutine().sleep(retries.backoffNanos(txn.attempt() - unopposed, worker));
        return true;
    }

    /** The latest commit timestamp that a client can have seen by now; see {@link Coordinator#latestCommitTs}. */
    public long latestCommitTs() {
        return coordinator.latestCommitTs(txn.clock().source().nanos());
    }

    /** The gate that its attempts pass, which all runners of the worker have in common. */
    public AttemptGate gate() {
        return gate;
    }

    /** The coroutine's transaction. */
    public Transaction transaction() {
        return txn;
    }
}
