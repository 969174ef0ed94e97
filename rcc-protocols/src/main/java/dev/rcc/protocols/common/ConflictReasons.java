package dev.rcc.protocols.common;

import dev.rcc.core.txn.AbortReason;
import java.util.List;

/** Why a transaction aborts under more than one protocol: what a conflict over a lock or a version leads to. */
public final class ConflictReasons {
    /** A lock is held by an older transaction, for which a younger one does not wait (rcc, 4.3). */
    public static final AbortReason WAIT_DIE_DIED = AbortReason.retryable(6, "WAIT_DIE_DIED");
    /** A lock was not dropped in the time for which its holder may be waited for. */
    public static final AbortReason WAIT_TIMEOUT = AbortReason.retryable(7, "WAIT_TIMEOUT");
    /** Something that the transaction has read was written by another one before it could commit (rcc, 4.1). */
    public static final AbortReason VALIDATION_FAILED = AbortReason.retryable(8, "VALIDATION_FAILED");

    /** All of them. */
    public static final List<AbortReason> ALL = List.of(WAIT_DIE_DIED, WAIT_TIMEOUT, VALIDATION_FAILED);

    private ConflictReasons() {}
}
