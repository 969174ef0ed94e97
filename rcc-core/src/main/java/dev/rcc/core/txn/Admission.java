package dev.rcc.core.txn;

/** Whether a node takes new transactions. Closed once, by any thread, when the node is to stop. */
public final class Admission {
    private volatile boolean closed;

    /** Refuses every transaction that begins from now on; transactions that have begun run to their end. */
    public void close() {
        closed = true;
    }

    /** Whether new transactions are refused. */
    public boolean isClosed() {
        return closed;
    }
}
