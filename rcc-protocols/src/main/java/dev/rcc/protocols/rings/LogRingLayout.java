package dev.rcc.protocols.rings;

/**
 * A node's log region: one ring for each worker of each node that may log here. A ring has exactly one writer, so that appending needs no agreement:
 * no FETCH_ADD on a shared tail, and no holes left by writers that died before they wrote.
 *
 * <pre>
 *  0         8            64     72            128                    128 + ringBytes
 * +---------+------------+------+-------------+----------------------+ - - - - - - -
 * | decided | bound      | head | durable     | entries              | the next ring
 * | (8)     | (8, to 64) | (8)  | (8, to 128) | (ringBytes)          |
 * +---------+------------+------+-------------+----------------------+ - - - - - - -
 * </pre>
 *
 * Positions count bytes since the ring's creation and never wrap; the byte at a position lies at the position modulo {@code ringBytes}.
 * {@code decided} is written by the coordinator: every entry before it has committed or has been marked as aborted. The word may go back when WRITEs
 * overtake each other; a reader uses the largest value that it has seen. {@code head} is written by the backup: every entry before it has been
 * replayed and its bytes may be overwritten. {@code bound}, in protocols that have one, is also written by the coordinator: the coordinator has read
 * nothing, and caused nothing to be marked as read, at a later timestamp. {@code durable}, where data is durable, is written by the backup: every
 * transaction's entry before it is on the backup's disk, or the word is {@link #FAILED}. Always {@code head <= decided <= tail <= head + ringBytes},
 * where only the writer knows the tail.
 */
public final class LogRingLayout {
    /** Smallest ring in bytes. */
    public static final int MIN_RING_BYTES = 4 * 1024;
    /** Largest ring in bytes. */
    public static final int MAX_RING_BYTES = 1 << 30;

    /** {@code durable} when the backup's disk has failed: nothing more becomes durable there. */
    public static final long FAILED = -1;

    private static final int LINE_BYTES = 64;
    private static final int BOUND_OFFSET = 8;
    private static final int HEAD_OFFSET = LINE_BYTES;
    private static final int DURABLE_OFFSET = HEAD_OFFSET + 8;
    private static final int ENTRIES_OFFSET = 2 * LINE_BYTES;

    private final int nodes;
    private final int workers;
    private final int ringBytes;

    /**
     * Lays out the log region of each node of a cluster.
     *
     * @param nodes number of nodes
     * @param workers workers of each node
     * @param ringBytes a ring's size in bytes, a power of two from {@link #MIN_RING_BYTES} to {@link #MAX_RING_BYTES}
     */
    public LogRingLayout(int nodes, int workers, int ringBytes) {
        if (Integer.bitCount(ringBytes) != 1 || ringBytes < MIN_RING_BYTES || ringBytes > MAX_RING_BYTES) {
            throw new IllegalArgumentException("a log ring's size is a power of two from " + MIN_RING_BYTES + " to "
                    + MAX_RING_BYTES + " bytes, got " + ringBytes);
        }
        this.nodes = nodes;
        this.workers = workers;
        this.ringBytes = ringBytes;
    }

    /** Number of rings. */
    public int rings() {
        return nodes * workers;
    }

    /** Workers of each node. */
    public int workers() {
        return workers;
    }

    /** A ring's size in bytes. */
    public int ringBytes() {
        return ringBytes;
    }

    /** Bytes of the region. */
    public long regionBytes() {
        return (long) rings() * (ENTRIES_OFFSET + ringBytes);
    }

    /** The number of the ring that a worker of {@code node} writes. */
    public int ring(int node, int worker) {
        assert node < nodes && worker < workers : node + "/" + worker;
        return node * workers + worker;
    }

    /** Offset of the word {@code decided} of a ring. */
    public long decidedOffset(int ring) {
        return (long) ring * (ENTRIES_OFFSET + ringBytes);
    }

    /** Offset of the word {@code bound} of a ring. */
    public long boundOffset(int ring) {
        return decidedOffset(ring) + BOUND_OFFSET;
    }

    /** Offset of the word {@code head} of a ring. */
    public long headOffset(int ring) {
        return decidedOffset(ring) + HEAD_OFFSET;
    }

    /** Offset of the word {@code durable} of a ring. */
    public long durableOffset(int ring) {
        return decidedOffset(ring) + DURABLE_OFFSET;
    }

    /** Offset of the byte at {@code position} of a ring. */
    public long entryOffset(int ring, long position) {
        return decidedOffset(ring) + ENTRIES_OFFSET + (position & (ringBytes - 1));
    }
}
