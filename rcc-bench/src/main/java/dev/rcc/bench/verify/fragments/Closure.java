package dev.rcc.bench.verify.fragments;

import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;

/** Runs a fragment as a procedure that other nodes cannot run. */
record Closure(Procedure delegate) implements Procedure {
    @Override
    public int kind() {
        return delegate.kind();
    }

    @Override
    public void declare(Transaction txn) {
        delegate.declare(txn);
    }

    @Override
    public void execute(Transaction txn) {
        delegate.execute(txn);
    }
}
