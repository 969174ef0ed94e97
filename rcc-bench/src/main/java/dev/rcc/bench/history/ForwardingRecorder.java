package dev.rcc.bench.history;

import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Transaction;

/** Tells another recorder all that it is told. Who judges or keeps a part of that overrides what it is about, and calls what it overrides. */
public abstract class ForwardingRecorder implements HistoryRecorder {
    private final HistoryRecorder next;

    /** Tells {@code next}. */
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
