package dev.rcc.protocols.common;

import dev.rcc.core.txn.AbortReason;
import java.util.List;

/** Abort reasons of more than one protocol: those of a conflict over a lock or a version. */
public final class ConflictReasons {
    /** A lock is held by an older transaction, for which a younger one does not wait (rcc, 4.3). */
    public static final AbortReason WAIT_DIE_DIED = AbortReason.retryable(6, "WAIT_DIE_DIED");
    /** A lock was not dropped in the time for which a transaction may wait for its holder. */
    public static final AbortReason WAIT_TIMEOUT = AbortReason.retryable(7, "WAIT_TIMEOUT");
    /** A record or leaf that the transaction has read was written by another transaction before it could commit (rcc, 4.1). */
    public static final AbortReason VALIDATION_FAILED = AbortReason.retryable(8, "VALIDATION_FAILED");

    /** All of these reasons. */
    public static final List<AbortReason> ALL = List.of(WAIT_DIE_DIED, WAIT_TIMEOUT, VALIDATION_FAILED);

    private ConflictReasons() {}
}
