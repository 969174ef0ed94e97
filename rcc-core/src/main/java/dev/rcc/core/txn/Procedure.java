package dev.rcc.core.txn;

/**
 * A transaction's code. It names the keys that it accesses, then computes on their records. Both methods run again for every attempt, on the
 * coordinator's coroutine, and must not keep anything from one attempt to the next except the procedure's own arguments. A procedure waits only in
 * {@link Transaction#fetch}.
 */
public interface Procedure {
    /** No kind in particular. */
    int NO_KIND = -1;

    /**
     * The kind of the transaction, a small number from 0, by which {@link TransactionMetrics#ofKind} counts transactions in addition to counting all;
     * or {@link #NO_KIND}, to be counted among all only. Read when the transaction begins.
     */
    default int kind() {
        return NO_KIND;
    }

    /** The fragment that other nodes can run in its place, as they have the code by name; or null, if they cannot. */
    default Fragment fragment() {
        return null;
    }

    /** Names the keys: calls {@link Transaction#read}, {@code update}, {@code insert} and {@code delete}. */
    void declare(Transaction txn);

    /**
     * Reads and writes the records, through the accesses that {@link #declare} obtained. To give up it calls
     * {@link Transaction#abort} and returns. It may name further keys and {@link Transaction#fetch} them.
     */
    void execute(Transaction txn);
}
