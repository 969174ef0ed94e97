package dev.rcc.core.txn;

import java.util.List;
import java.util.Optional;

/**
 * The reason for which a transaction aborted, one for each cause. The reasons that any protocol can give are declared here; a protocol declares its
 * own as constants and lists them in {@code Protocol.abortReasons}. {@link AbortReasons} finds a reason by its code or name.
 *
 * <p>Codes and names are stable and never reused: metrics, reports, and clients identify a reason by them. No two protocols use one code for
 * different causes. Each reason is one object, compared by identity. Immutable.
 */
public final class AbortReason {
    /** The largest code. */
    public static final int MAX_CODE = 255;

    /** The procedure requested the abort. Final. */
    public static final AbortReason USER_ABORT = new AbortReason(1, "USER_ABORT", false, null);
    /** Another transaction holds a lock that this one needs (rcc, 4.2). */
    public static final AbortReason LOCK_CONFLICT = retryable(2, "LOCK_CONFLICT");
    /** A log ring on a backup stayed full: the backup does not keep up. */
    public static final AbortReason LOG_FULL = retryable(3, "LOG_FULL");
    /** A node that had to take part cannot be reached. Final: its partitions stay unavailable. */
    public static final AbortReason PEER_UNREACHABLE = new AbortReason(4, "PEER_UNREACHABLE", false, null);
    /** There is no room for a key that the transaction inserts. Final. */
    public static final AbortReason TABLE_FULL = new AbortReason(5, "TABLE_FULL", false, null);
    /**
     * An ordered index was not as the attempt had assumed (Sundial, 3.4), or a table has overflowed further; the next attempt looks again.
     */
    public static final AbortReason INDEX_CHANGED = retryable(9, "INDEX_CHANGED");
    /** The node is being stopped and takes no new transactions; another node does. */
    public static final AbortReason NODE_DRAINING = retryable(30, "NODE_DRAINING");
    /** An interactive transaction needs a stronger intent than a key was fetched for; the next attempt fetches the key for that intent. */
    public static final AbortReason INTENT_CHANGED = retryable(31, "INTENT_CHANGED");
    /** The values that an interactive client has read do not hold for this attempt. Final here: only the client can begin again. */
    public static final AbortReason READS_CHANGED = new AbortReason(32, "READS_CHANGED", false, null);
    /** The node is cut off from most other nodes, which may go on without it; another node may take the transaction. */
    public static final AbortReason NO_MAJORITY = retryable(33, "NO_MAJORITY");
    /** The transaction needs a stronger intent than a key was fetched for, and is tried again at once: the next attempt fetches the key for it. */
    public static final AbortReason UPGRADED = retryable(34, "UPGRADED");
    /** A record that the transaction writes would have the same unique key in a secondary index as another record. Final. */
    public static final AbortReason DUPLICATE_KEY = new AbortReason(35, "DUPLICATE_KEY", false, null);

    /** The copies of a replicated record differed: the attempt has seen some before and some after another transaction's write. */
    public static final AbortReason COPIES_DIFFER = retryable(36, "COPIES_DIFFER");

    /** The nodes change to another configuration while the transaction waits for its client; it is tried again in the next configuration. */
    public static final AbortReason RECONFIGURED = retryable(37, "RECONFIGURED");

    /** The reasons that are declared here, by code. */
    static final List<AbortReason> COMMON = List.of(
            USER_ABORT,
            LOCK_CONFLICT,
            LOG_FULL,
            PEER_UNREACHABLE,
            TABLE_FULL,
            INDEX_CHANGED,
            NODE_DRAINING,
            INTENT_CHANGED,
            READS_CHANGED,
            NO_MAJORITY,
            UPGRADED,
            DUPLICATE_KEY,
            COPIES_DIFFER,
            RECONFIGURED);

    private final int code;
    private final String name;
    private final boolean retryable;
    private final String advice;

    private AbortReason(int code, String name, boolean retryable, String advice) {
        if (code < 1 || code > MAX_CODE) {
            throw new IllegalArgumentException("the code of an abort reason is 1 to " + MAX_CODE + ", got " + code);
        }
        this.code = code;
        this.name = name;
        this.retryable = retryable;
        this.advice = advice;
    }

    /**
     * Makes a reason after which the same transaction may succeed when it is tried again: a conflict with other transactions.
     *
     * @param code 1 to {@link #MAX_CODE}; no other reason has it
     * @param name in capitals with underscores; no other reason has it
     */
    public static AbortReason retryable(int code, String name) {
        return new AbortReason(code, name, true, null);
    }

    /**
     * Makes a reason after which the same transaction cannot succeed when it is tried again.
     *
     * @param code 1 to {@link #MAX_CODE}; no other reason has it
     * @param name in capitals with underscores; no other reason has it
     * @param advice the text for a client: what has happened, and what to do now
     */
    public static AbortReason permanent(int code, String name, String advice) {
        return new AbortReason(code, name, false, advice);
    }

    /** The stable number of this reason. */
    public int code() {
        return code;
    }

    /** The stable name, as in {@code LOCK_CONFLICT}. */
    public String name() {
        return name;
    }

    /** Whether the same transaction may succeed when it is tried again. */
    public boolean isRetryable() {
        return retryable;
    }

    /** The text for a client, of a protocol's {@link #permanent} reason. */
    public Optional<String> advice() {
        return Optional.ofNullable(advice);
    }

    @Override
    public String toString() {
        return name;
    }
}
