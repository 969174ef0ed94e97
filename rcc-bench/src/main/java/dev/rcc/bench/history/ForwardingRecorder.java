package dev.rcc.bench.history;

import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Transaction;

/** Passes everything to another recorder. A subclass that checks or keeps some of it overrides the method, and calls the overridden one. */
public abstract class ForwardingRecorder implements HistoryRecorder {
    private final HistoryRecorder next;

    /** Forwards everything to {@code next}. */
    protected ForwardingRecorder(HistoryRecorder next) {
        this.next = next;
    }

    @Override
    public void logging(Transaction txn, long beginNanos) {
        next.logging(txn, beginNanos);
    }

    @Override
    public void committed(Transaction txn, long beginNanos, long endNanos) {
        next.committed(txn, beginNanos, endNanos);
    }

    @Override
    public void aborted(Transaction txn, long beginNanos, long endNanos) {
        next.aborted(txn, beginNanos, endNanos);
    }

    @Override
    public void attemptAborted(Transaction txn) {
        next.attemptAborted(txn);
    }
}
