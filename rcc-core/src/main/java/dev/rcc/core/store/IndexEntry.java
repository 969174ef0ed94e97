package dev.rcc.core.store;

/**
 * An entry of the hash index: one word, so that it is claimed and published by CAS or by an 8-byte WRITE.
 *
 * <pre>
 *  63                                           2 1     0
 * +----------------------------------------------+-------+
 * |  tag: the upper 62 bits of the key's hash    | state |    0: empty   1: reserved   2: live
 * +----------------------------------------------+-------+
 * </pre>
 *
 * An empty entry is the word 0. Each entry owns the tuple slot of the same number ({@link TableLayout#tupleOffset}), so
 * it needs no address, and a transaction that claims the entry has claimed the slot. A reserved entry belongs to a transaction that
 * is about to insert; lookups skip it. Two keys may have the same tag: the key in the tuple decides.
 */
public final class IndexEntry {
    /** No key here. */
    public static final long EMPTY = 0;

    private static final int STATE_BITS = 2;
    private static final long STATE_MASK = (1L << STATE_BITS) - 1;
    private static final long RESERVED = 1;
    private static final long LIVE = 2;

    private IndexEntry() {}

    /** The entry of a key that is being inserted. */
    public static long reserved(long keyHash) {
        return (keyHash & ~STATE_MASK) | RESERVED;
    }

    /** The entry of a key that lookups find. */
    public static long live(long keyHash) {
        return (keyHash & ~STATE_MASK) | LIVE;
    }

    /** Whether the entry is live, whatever its key. */
    public static boolean isLive(long entry) {
        return (entry & STATE_MASK) == LIVE;
    }
}
