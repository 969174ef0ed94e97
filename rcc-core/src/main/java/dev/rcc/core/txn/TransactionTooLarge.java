package dev.rcc.core.txn;

import java.util.Locale;

/**
 * A transaction needs more room than is available for it: in its coroutine's buffer, in a message, or in a log; or it changes an ordered index too
 * much. The transaction ends without effect, and is not tried again.
 */
public final class TransactionTooLarge extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Names a limit that is not one of bytes, in a sentence. */
    TransactionTooLarge(String limit) {
        super(limit);
    }

    /**
     * Names the limit.
     *
     * @param what the part that needs room, such as {@code "the transaction's log entry"}
     * @param neededBytes how much it needs, at least
     * @param allowedBytes how much there is
     * @param advice how to make it fit: what to do less of, or which option to raise
     */
    public TransactionTooLarge(String what, long neededBytes, long allowedBytes, String advice) {
        super(String.format(
                Locale.ROOT, "%s needs %,d bytes, allowed: %,d: %s", what, neededBytes, allowedBytes, advice));
    }
}
