package dev.rcc.bench.verify.fragments;

import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;

/** Does what a fragment does, as a procedure that other nodes do not know. */
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
