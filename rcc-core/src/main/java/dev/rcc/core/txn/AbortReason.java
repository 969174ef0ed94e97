package dev.rcc.core.txn;

/** Why a transaction aborted: one entry per cause. Codes are stable and never reused. */
public enum AbortReason {
    /** The procedure asked for it. Final. */
    USER_ABORT(1, false),
    /** A lock that the transaction needs is held by another one (rcc, 4.2). */
    LOCK_CONFLICT(2, true),
    /** A log ring on a backup stayed full: the backup does not keep up. */
    LOG_FULL(3, true),
    /** A node that had to take part cannot be reached. Final: its partitions stay unavailable. */
    PEER_UNREACHABLE(4, false),
    /** There is no room for a key that the transaction inserts. Final. */
    TABLE_FULL(5, false),
    /** A lock is held by an older transaction, for which a younger one does not wait (rcc, 4.3). */
    WAIT_DIE_DIED(6, true),
    /** A lock was not dropped in the time for which its holder may be waited for. */
    WAIT_TIMEOUT(7, true),
    /** Something that the transaction has read was written by another one before it could commit (rcc, 4.1). */
    VALIDATION_FAILED(8, true),
    /** An ordered index was not as the attempt took it to be; the next one looks again (Sundial, 3.4). */
    INDEX_CHANGED(9, true),
    /** The keys that the transaction turned out to need are not those that its reconnaissance had found (CALVIN). */
    DEPENDENCY_CHANGED(12, true),
    /** What the transaction writes was read or written by one with a later timestamp (rcc, 4.4, Cond W1). */
    WRITE_TOO_LATE(16, true),
    /** The version that the transaction would have to read is not kept any more (rcc, 4.4, Cond R1). */
    VERSION_GONE(17, true),
    /** One with an earlier timestamp did not finish writing what the transaction reads (rcc, 4.4, Cond R2). */
    PENDING_WRITER(18, true),
    /** What the transaction has read may not be valid at its commit timestamp: it was written, or is about to be (Sundial, 3.3.2). */
    LEASE_NOT_RENEWED(20, true),
    /** The commit timestamp would be past the end of logical time. Final: what was written last there stays for ever. */
    LOGICAL_TIME_EXHAUSTED(21, false),
    /** The node is being stopped and takes no new transactions; another node does. */
    NODE_DRAINING(30, true),
    /** An interactive transaction wants more of a key than it was fetched for; the next attempt fetches it for that. */
    INTENT_CHANGED(31, true),
    /** What an interactive client was told does not hold for this attempt. Final here: only the client can begin again. */
    READS_CHANGED(32, false),
    /** The node is cut off from most of the others, which may go on without it; another node may take the transaction. */
    NO_MAJORITY(33, true);

    private final int code;
    private final boolean retryable;

    AbortReason(int code, boolean retryable) {
        this.code = code;
        this.retryable = retryable;
    }

    /** The stable number of this reason. */
    public int code() {
        return code;
    }

    /** Whether the same transaction may succeed when it is tried again. */
    public boolean isRetryable() {
        return retryable;
    }
}
