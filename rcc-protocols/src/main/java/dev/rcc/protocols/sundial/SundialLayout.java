package dev.rcc.protocols.sundial;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.time.Timestamp;

/**
 * SUNDIAL's metadata: two words at the start of each tuple and leaf. The lease of the present version is <i>[wts, rts]</i>: wts is the version, which
 * every tuple and leaf has, rts lies beside the lock.
 *
 * <pre>
 *  word 0, changed by CAS, or by its lock's holder
 *   63           62                44 43                               0
 *  +------------+--------------------+----------------------------------+
 *  | installing | owner (19)         | rts (44)                         |
 *  +------------+--------------------+----------------------------------+
 *                 0: not locked
 *                 otherwise 1 + node (8) and coroutine (10) of the holder
 *
 *  word 1, for wait-die: age of the transaction that held the lock last, or holds it
 * </pre>
 *
 * Lock and rts share a word so that raising rts fails once any transaction has locked, and a transaction that locks receives the rts that the lock
 * has frozen. rts never decreases, and each install raises it: it is the new version then. So an unlocked word that is found again has been beside
 * one version all the while.
 *
 * <p>Logical time has {@value #TIME_BITS} bits and begins at {@value #BIRTH}, when all loaded records, and the absence of all other keys, count as
 * written: a word of a new tuple, which is 0, means an rts of that or of the version, if that is greater. A commit timestamp past {@link #MAX_TIME}
 * is refused, so rts never carries into the owner. It would take one key 5 years to get there if it were written 100,000 times a second.
 */
public final class SundialLayout {
    private static final int TIME_BITS = 44;
    private static final int OWNER_BITS = 19;

    /** Bytes of metadata in each tuple and leaf. */
    public static final int METADATA_BYTES = 2 * Memory.WORD_BYTES;
    /** Where the age of the holder is. */
    public static final int AGE_OFFSET = Memory.WORD_BYTES;
    /** The beginning of logical time. */
    public static final long BIRTH = 1;
    /** The end of logical time. */
    public static final long MAX_TIME = (1L << TIME_BITS) - 1;

    private static final long NANOS_PER_TIME = 1_000;
    private static final long SLACK_TIME = 1L << 32;

    private static final int OWNER_SHIFT = TIME_BITS;
    private static final long OWNER_MASK = (1L << OWNER_BITS) - 1;
    private static final long INSTALLING = 1L << (OWNER_SHIFT + OWNER_BITS);

    private SundialLayout() {}

    /**
     * A time that no transaction of a cluster of this age can have reached by itself: logical time advances by one when a transaction writes a record
     * that another transaction has written or read, and no chain of such transactions has a million in a second. The slack is for clocks that differ,
     * and for reconfigurations, each of which makes logical time jump ahead ({@link Sundial#recover}).
     *
     * @param clusterNanos the cluster's age in nanoseconds
     */
    static long latestTime(long clusterNanos) {
        return Math.min(MAX_TIME, SLACK_TIME + Math.max(0, clusterNanos) / NANOS_PER_TIME);
    }

    /** The rts in a word. */
    static long rts(long word) {
        return word & MAX_TIME;
    }

    /** The end of the lease of {@code version}, given the word that was beside it. */
    static long leaseEnd(long word, long version) {
        return Math.max(Math.max(rts(word), version), BIRTH);
    }

    /** The owner's number, 0 if there is none. */
    static long owner(long word) {
        return word >>> OWNER_SHIFT & OWNER_MASK;
    }

    /** The number of the owner whose ids and ages are such timestamps. */
    static long ownerOf(long timestamp) {
        return 1 + ((long) Timestamp.node(timestamp) * (Timestamp.MAX_COROUTINE + 1) + Timestamp.coroutine(timestamp));
    }

    /** Whether a transaction holds the lock. */
    static boolean isLocked(long word) {
        return owner(word) != 0;
    }

    /** Whether its holder may be installing. */
    static boolean isInstalling(long word) {
        return (word & INSTALLING) != 0;
    }

    /** The word when {@code owner} has locked it. */
    static long locked(long word, long owner) {
        assert !isLocked(word) && !isInstalling(word) : Long.toHexString(word);
        return word | owner << OWNER_SHIFT;
    }

    /** The word when its holder begins to install. */
    static long installing(long word) {
        return word | INSTALLING;
    }

    /** The word of a lock that no transaction holds. */
    static long unlocked(long rts) {
        assert rts >= 0 && rts <= MAX_TIME : rts;
        return rts;
    }
}
