package dev.rcc.core.time;

/**
 * A unique timestamp: the local clock, with the node and the coroutine that drew it in the low-order bits (rcc, 4.3).
 *
 * <pre>
 *  63                              18 17      10 9            0
 * +----------------------------------+----------+--------------+
 * |  clock (46), ticks of 4,096 ns   | node (8) | coroutine(10)|
 * +----------------------------------+----------+--------------+
 * </pre>
 *
 * The clock counts from the cluster's birth, so it lasts 9.1 years of a cluster's life; a clock that has run out refuses
 * to make timestamps ({@link TimestampClock#next}). Timestamps are compared unsigned; the clock is never 0, so every
 * timestamp is greater than {@link #MAX_COROUTINE} and than any small number that shares a word with one. Coroutines are
 * numbered through a node, across its workers.
 */
public final class Timestamp {
    /** No timestamp; smaller than all. */
    public static final long NONE = 0;

    private static final int NODE_BITS = 8;
    private static final int COROUTINE_BITS = 10;
    private static final int NODE_SHIFT = COROUTINE_BITS;
    private static final int CLOCK_SHIFT = NODE_BITS + COROUTINE_BITS;
    private static final int TICK_SHIFT = 12;

    /** Largest node id. */
    public static final int MAX_NODE = (1 << NODE_BITS) - 1;
    /** Largest coroutine number on a node. */
    public static final int MAX_COROUTINE = (1 << COROUTINE_BITS) - 1;
    /** Largest clock value in ticks. */
    public static final long MAX_CLOCK = (1L << (Long.SIZE - CLOCK_SHIFT)) - 1;
    /** Nanoseconds of a tick. */
    public static final long TICK_NANOS = 1L << TICK_SHIFT;
    /** Nanoseconds from the cluster's birth until the clock has run out: 9.1 years. */
    public static final long LIFE_NANOS = MAX_CLOCK * TICK_NANOS;

    private Timestamp() {}

    /**
     * Packs a timestamp.
     *
     * @throws IllegalArgumentException when a part does not fit; the clock must be at least 1
     */
    public static long of(long clock, int node, int coroutine) {
        if (clock < 1 || clock > MAX_CLOCK || (node & ~MAX_NODE) != 0 || (coroutine & ~MAX_COROUTINE) != 0) {
            throw new IllegalArgumentException("no such timestamp: clock " + clock + " (1 to " + MAX_CLOCK + "), node "
                    + node + " (0 to " + MAX_NODE + "), coroutine " + coroutine + " (0 to " + MAX_COROUTINE + ")");
        }
        return clock << CLOCK_SHIFT | (long) node << NODE_SHIFT | coroutine;
    }

    /** The clock value in ticks. */
    public static long clock(long timestamp) {
        return timestamp >>> CLOCK_SHIFT;
    }

    /** The node that drew the timestamp. */
    public static int node(long timestamp) {
        return (int) (timestamp >>> NODE_SHIFT) & MAX_NODE;
    }

    /** The coroutine that drew the timestamp. */
    public static int coroutine(long timestamp) {
        return (int) timestamp & MAX_COROUTINE;
    }

    /** Whether {@code a} is earlier than {@code b}. */
    public static boolean isBefore(long a, long b) {
        return Long.compareUnsigned(a, b) < 0;
    }

    /** The later of two timestamps. */
    public static long max(long a, long b) {
        return isBefore(a, b) ? b : a;
    }

    /** Text for people: {@code clock@node.coroutine}. */
    public static String toString(long timestamp) {
        return clock(timestamp) + "@" + node(timestamp) + "." + coroutine(timestamp);
    }
}
