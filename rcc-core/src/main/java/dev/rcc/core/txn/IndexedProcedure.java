package dev.rcc.core.txn;

/**
 * A procedure whose changes are carried into the indexes when it is done, and into the copies of replicated records. One object serves
 * one procedure after the other.
 */
public final class IndexedProcedure implements Procedure {
    private Procedure procedure;

    /** Creates a wrapper without a procedure. */
    public IndexedProcedure() {}

    /** Wraps a procedure in place of the previous procedure. */
    public IndexedProcedure of(Procedure newProcedure) {
        procedure = newProcedure;
        return this;
    }

    @Override
    public Fragment fragment() {
        return procedure.fragment();
    }

    @Override
    public void declare(Transaction txn) {
        procedure.declare(txn);
    }

    @Override
    public void execute(Transaction txn) {
        procedure.execute(txn);
        if (txn.abortReason() == null) {
            txn.checkNothingIsHalfDone();
            txn.completeIndexes();
            txn.replicated().complete();
        }
    }
}
