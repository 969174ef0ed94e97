package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;

/**
 * One partition of a table in its region: a hash index, its leaves, and the tuples.
 *
 * <pre>
 *  0               buckets * 64      + buckets * L,        + buckets * 8 * S
 *                                    up to a line
 * +-----------------+----------------+---------------------+
 * | buckets:        | leaves:        | tuple slots:        |
 * | 8 entries each, | metadata and   | one per entry,      |
 * | a cache line    | version (L)    | S bytes each        |
 * +-----------------+----------------+---------------------+
 * </pre>
 *
 * A key may be in any of three buckets: its home bucket and two alternates. An insert takes the home bucket while that
 * has fewer than {@value #HOME_PREFERENCE} entries and the emptiest of the three otherwise, and nothing ever moves. So a
 * lookup costs at most three READs of one bucket each: at capacity 1.26 on average in a table that was loaded, 1.7 in
 * one whose every key has been replaced many times. Loading a million tuples fills 80 % before an insert fails, smaller
 * tables take more. Tables are sized for {@value #LOAD_PERCENT} %, because deletes and inserts in turn wear the balance
 * down: then one insert in 50,000 fails at 75 %, one in ten million at 70 %, and at 65 % none was seen.
 *
 * <p>A leaf is the index's own tuple for a home bucket, with the protocol's metadata and a version but no record. All
 * that depends on which keys exist is a read or a write of a leaf: an insert or delete writes the leaf of the key's home
 * bucket, a lookup that finds nothing reads it. That gives each protocol safety from phantoms by the means that it has
 * anyway (Sundial, 3.4).
 */
public final class TableLayout {
    /** Entries of a bucket. */
    public static final int BUCKET_ENTRIES = 8;
    /** Bytes of a bucket. */
    public static final int BUCKET_BYTES = BUCKET_ENTRIES * Memory.WORD_BYTES;
    /** Buckets that a key may be in. */
    public static final int CHOICES = 3;
    /** The load factor that tables are sized for, in percent of the entries. */
    public static final int LOAD_PERCENT = 65;

    private static final long LINE_BYTES = 64;
    private static final int HOME_PREFERENCE = 5;
    private static final int MIN_BUCKETS = 8;
    /** Buckets more than the load factor asks for: in a small table chance is less even. */
    private static final int SPARE_BUCKETS = 4;

    private static final long[] CHOICE_SEEDS = {0xA0761D6478BD642FL, 0xE7037ED1A0B428DBL, 0x8EBC6AF09C88C6E3L};

    private final TableSchema schema;
    private final TupleLayout tuple;
    private final long buckets;
    private final int leafBytes;
    private final int leafVersionOffset;
    private final long leavesOffset;
    private final long tuplesOffset;
    private final long regionBytes;

    /** The layout of a partition without history; see {@link #TableLayout(int, int, boolean, TableSchema)}. */
    public TableLayout(int metadataBytes, TableSchema schema) {
        this(metadataBytes, 0, false, schema);
    }

    /**
     * Computes the layout of a partition.
     *
     * @param metadataBytes the protocol's metadata per tuple and leaf, a multiple of 8
     * @param historySlots older records that each tuple has room for
     * @param checksum whether each tuple has a checksum
     */
    public TableLayout(int metadataBytes, int historySlots, boolean checksum, TableSchema schema) {
        this.schema = schema;
        this.tuple = new TupleLayout(metadataBytes, historySlots, checksum, schema);
        this.buckets = Math.max(
                MIN_BUCKETS, SPARE_BUCKETS + Math.ceilDiv(schema.capacity() * 100, LOAD_PERCENT * BUCKET_ENTRIES));
        this.leafVersionOffset = metadataBytes;
        this.leafBytes = metadataBytes + Memory.WORD_BYTES;
        this.leavesOffset = buckets * BUCKET_BYTES;
        this.tuplesOffset = Math.ceilDiv(leavesOffset + buckets * leafBytes, LINE_BYTES) * LINE_BYTES;
        this.regionBytes = tuplesOffset + buckets * BUCKET_ENTRIES * tuple.slotBytes();
        if (regionBytes > RemoteAddress.MAX_OFFSET) {
            throw new IllegalArgumentException("table " + schema.name() + ": a partition of " + schema.capacity()
                    + " tuples needs " + regionBytes + " bytes, more than a region's " + RemoteAddress.MAX_OFFSET);
        }
    }

    /** The table's schema. */
    public TableSchema schema() {
        return schema;
    }

    /** The layout of a tuple. */
    public TupleLayout tuple() {
        return tuple;
    }

    /** Bytes of the whole partition. */
    public long regionBytes() {
        return regionBytes;
    }

    /** Number of buckets, and of leaves. */
    public long buckets() {
        return buckets;
    }

    /** Number of entries, and of tuple slots. */
    public long slots() {
        return buckets * BUCKET_ENTRIES;
    }

    /**
     * Offset of one of the three buckets that a key may be in.
     *
     * @param choice 0 for the home bucket, 1 and 2 for the alternates
     */
    public long bucketOffset(long keyHash, int choice) {
        return bucket(keyHash, choice) * BUCKET_BYTES;
    }

    /** Offset of the leaf that covers a key: the one of its home bucket. */
    public long leafOffset(long keyHash) {
        return leavesOffset + bucket(keyHash, 0) * leafBytes;
    }

    /** Bytes of a leaf: metadata and version. */
    public int leafBytes() {
        return leafBytes;
    }

    /** Offset of the version in a leaf. */
    public int leafVersionOffset() {
        return leafVersionOffset;
    }

    /** Offset of the leaf with this number, 0 to {@link #buckets()} - 1. */
    public long leafOffsetAt(long leaf) {
        return leavesOffset + leaf * leafBytes;
    }

    /** Offset of the entry with this number, 0 to {@link #slots()} - 1. */
    public long entryOffset(long slot) {
        return slot * Memory.WORD_BYTES;
    }

    /** Offset of the tuple slot with this number. */
    public long tupleOffset(long slot) {
        return tuplesOffset + slot * tuple.slotBytes();
    }

    /** The number of the slot whose entry is at {@code entryOffset}. */
    public long slotOfEntry(long entryOffset) {
        return entryOffset / Memory.WORD_BYTES;
    }

    /** Offset of the tuple whose entry is at {@code entryOffset}. */
    public long tupleOfEntry(long entryOffset) {
        return tupleOffset(slotOfEntry(entryOffset));
    }

    /** Offset of the entry whose tuple is at {@code tupleOffset}. */
    public long entryOfTuple(long tupleOffset) {
        return entryOffset((tupleOffset - tuplesOffset) / tuple.slotBytes());
    }

    /**
     * Looks through one bucket, wherever its bytes lie, for a key's live entry.
     *
     * @param memory holds the bucket: the region itself, or the buffer that a READ filled
     * @param offset where the bucket starts in {@code memory}
     * @param from the entry to start from, 0 to {@link #BUCKET_ENTRIES}
     * @return the entry's number in the bucket, or -1
     */
    public static int find(Memory memory, long offset, long keyHash, int from) {
        long wanted = IndexEntry.live(keyHash);
        for (int i = from; i < BUCKET_ENTRIES; i++) {
            if (memory.getAcquire(offset + (long) i * Memory.WORD_BYTES) == wanted) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Chooses the entry for a new key, given its three buckets, wherever their bytes lie.
     *
     * @param bucketOffsets where each of the {@link #CHOICES} buckets starts in {@code memory}
     * @return {@code choice * BUCKET_ENTRIES + entry}, or -1 when all three are full
     */
    public static int chooseEmpty(Memory memory, long[] bucketOffsets) {
        int best = 0;
        long bestEmpty = emptyEntries(memory, bucketOffsets[0]);
        if (Long.bitCount(bestEmpty) <= BUCKET_ENTRIES - HOME_PREFERENCE) {
            for (int choice = 1; choice < CHOICES; choice++) {
                long empty = emptyEntries(memory, bucketOffsets[choice]);
                if (Long.bitCount(empty) > Long.bitCount(bestEmpty)) {
                    best = choice;
                    bestEmpty = empty;
                }
            }
        }
        return bestEmpty == 0 ? -1 : best * BUCKET_ENTRIES + Long.numberOfTrailingZeros(bestEmpty);
    }

    /** A set of entry numbers, one bit each. */
    private static long emptyEntries(Memory memory, long offset) {
        long empty = 0;
        for (int i = 0; i < BUCKET_ENTRIES; i++) {
            if (memory.getAcquire(offset + (long) i * Memory.WORD_BYTES) == IndexEntry.EMPTY) {
                empty |= 1L << i;
            }
        }
        return empty;
    }

    private long bucket(long keyHash, int choice) {
        return Math.unsignedMultiplyHigh(KeyHash.mix(keyHash ^ CHOICE_SEEDS[choice]), buckets);
    }
}
