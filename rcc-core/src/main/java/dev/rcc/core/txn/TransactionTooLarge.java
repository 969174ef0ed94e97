package dev.rcc.core.txn;

/** A transaction needs more buffer memory than its coroutine has. */
public final class TransactionTooLarge extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Names the limit. */
    public TransactionTooLarge(long limitBytes) {
        super("the transaction's records and messages do not fit in its coroutine's buffer of " + limitBytes
                + " bytes: access fewer keys or configure larger buffers");
    }
}
