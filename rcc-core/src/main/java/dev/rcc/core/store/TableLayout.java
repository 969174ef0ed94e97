package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;

/**
 * One partition of a table in its region: a hash index, its leaves, and the tuples; behind them, in a table that may grow, segments for tuples that
 * do not fit there.
 *
 * <pre>
 *  0               buckets * 64      + buckets * L,        + buckets * 8 * S     + 64
 *                                    up to a line          up to a line
 * +-----------------+----------------+---------------------+---------------------+- - - - - - - - - - - - - -
 * | buckets:        | leaves:        | tuple slots:        | marks: whether      | overflow segments: buckets
 * | 8 entries each, | metadata,      | one per entry,      | each of the         | and tuple slots of their
 * | a cache line    | version, depth | S bytes each        | segments is in use  | own, as many times larger
 * +-----------------+----------------+---------------------+---------------------+- - - - - - - - - - - - - -
 * </pre>
 *
 * A key may be in any of three buckets: its home bucket and two alternates. An insert takes the home bucket while that
 * has fewer than {@value #HOME_PREFERENCE} entries and the emptiest of the three otherwise, and nothing ever moves. So a
 * lookup costs at most three READs of one bucket each: at capacity 1.26 on average in a table that was loaded, 1.7 in
 * one whose every key has been replaced many times. Loading a million tuples fills 80 % before an insert finds no room
 * there; smaller tables take more. Tables are sized for {@value #LOAD_PERCENT} %, because deletes and inserts in turn
 * wear the balance down: then one insert in 50,000 finds no room at 75 %, one in ten million at 70 %, and at 65 % none
 * was seen.
 *
 * <p>A leaf is the index's own tuple for a home bucket, with the protocol's metadata and a version but no record. Every operation that depends on
 * which keys exist reads or writes a leaf: an insert or delete writes the leaf of the key's home bucket, a lookup that finds nothing reads it. So
 * each protocol is safe from phantoms with the means that it has for tuples (Sundial, 3.4).
 *
 * <p><b>Overflow.</b> A key whose three buckets are full goes to an overflow segment, where it has three buckets again: the first segment where these
 * are not all full. The leaf contains the number of segments that its keys may be in, its <i>depth</i>. An insert that goes to a deeper segment
 * raises the depth while it holds the leaf, before it publishes the entry and writes the leaf's version; the depth never sinks. So a reader that has
 * read the leaf's version, then its depth, and then searched that many segments has missed no key that the version covers. In a table that has not
 * overflowed all depths are 0. The marks show which segments are in use, so that a walk of all slots must visit them. The memory of other segments
 * has not been touched, and costs nothing where the network does not pin it.
 *
 * <p>Where leaves have a depth, they are as far apart as slots are, so that no leaf touches more lines than it must.
 */
public final class TableLayout {
    /** Entries of a bucket. */
    public static final int BUCKET_ENTRIES = 8;
    /** Bytes of a bucket. */
    public static final int BUCKET_BYTES = BUCKET_ENTRIES * Memory.WORD_BYTES;
    /** Buckets that a key may be in, in the first part and in each segment. */
    public static final int CHOICES = 3;
    /** The load factor that tables are sized for, in percent of the entries. */
    public static final int LOAD_PERCENT = 65;
    /** Most overflow segments of a partition. */
    public static final int MAX_SEGMENTS = 8;

    private static final int LINE_BYTES = 64;
    private static final int HOME_PREFERENCE = 5;
    private static final int MIN_BUCKETS = 8;
    /** Buckets beyond the load factor: in a small table chance is less even. */
    private static final int SPARE_BUCKETS = 4;

    private static final long[] CHOICE_SEEDS = {0xA0761D6478BD642FL, 0xE7037ED1A0B428DBL, 0x8EBC6AF09C88C6E3L};
    /** Keys that share buckets in one part are not to share them in the next. */
    private static final long PART_SEED = 0xD6E8FEB86659FD93L;

    private final TableSchema schema;
    private final TupleLayout tuple;
    private final long buckets;
    private final int leafBytes;
    private final int leafVersionOffset;
    private final long leavesOffset;
    private final long tuplesOffset;
    private final long marksOffset;
    /** The first part, and the segments. */
    private final Part[] parts;

    /** Buckets and tuple slots: the first part, or a segment. */
    private record Part(long buckets, long firstSlot, long bucketsOffset, long tuplesOffset, long end) {
        long entryOffset(long slot) {
            return bucketsOffset + (slot - firstSlot) * Memory.WORD_BYTES;
        }

        long endSlot() {
            return firstSlot + buckets * BUCKET_ENTRIES;
        }
    }

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
        this.buckets = buckets(schema.capacity());
        this.leafVersionOffset = metadataBytes;
        this.leafBytes = schema.growth() == 0
                ? metadataBytes + Memory.WORD_BYTES
                : TupleLayout.spaced(metadataBytes + 2 * Memory.WORD_BYTES);
        this.leavesOffset = buckets * BUCKET_BYTES;
        this.tuplesOffset = toLine(leavesOffset + buckets * leafBytes);
        long firstEnd = tuplesOffset + buckets * BUCKET_ENTRIES * tuple.slotBytes();
        this.marksOffset = toLine(firstEnd);
        this.parts = new Part[1 + segments(schema.growth())];
        parts[0] = new Part(buckets, 0, 0, tuplesOffset, segments() == 0 ? firstEnd : marksOffset + LINE_BYTES);
        for (int segment = 1; segment <= segments(); segment++) {
            parts[segment] = segmentBehind(parts[segment - 1], buckets(times(segment) * schema.capacity()));
        }
        if (regionBytes() > RemoteAddress.MAX_OFFSET) {
            throw new IllegalArgumentException("table " + schema.name() + ": a partition of " + schema.capacity()
                    + " tuples" + (segments() == 0 ? "" : " that may grow by " + schema.growth() + " times as many")
                    + " needs " + regionBytes() + " bytes, more than a region's " + RemoteAddress.MAX_OFFSET);
        }
    }

    private static long buckets(long capacity) {
        return Math.max(MIN_BUCKETS, SPARE_BUCKETS + Math.ceilDiv(capacity * 100, LOAD_PERCENT * BUCKET_ENTRIES));
    }

    /** The number of segments, if each has room for twice as many tuples as the one before, and the first for the table's capacity. */
    private static int segments(int growth) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(growth);
    }

    /** The multiple of the table's capacity that a segment has room for: 1, 2, 4 and so on, and for the last one the rest. */
    private int times(int segment) {
        int before = (1 << (segment - 1)) - 1;
        return Math.min(1 << (segment - 1), schema.growth() - before);
    }

    private Part segmentBehind(Part last, long itsBuckets) {
        long tuples = last.end + itsBuckets * BUCKET_BYTES;
        long end = toLine(tuples + itsBuckets * BUCKET_ENTRIES * tuple.slotBytes());
        return new Part(itsBuckets, last.endSlot(), last.end, tuples, end);
    }

    private static long toLine(long bytes) {
        return Math.ceilDiv(bytes, LINE_BYTES) * LINE_BYTES;
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
        return regionBytes(segments());
    }

    /** Bytes of the partition up to the end of the segment {@code depth}; with 0, of the part before the segments. */
    public long regionBytes(int depth) {
        return parts[depth].end;
    }

    /** Number of overflow segments; they are numbered from 1. */
    public int segments() {
        return parts.length - 1;
    }

    /** Number of leaves, and of the buckets that can be a key's home. */
    public long buckets() {
        return buckets;
    }

    /** Number of entries, and of tuple slots, including all segments. */
    public long slots() {
        return slots(segments());
    }

    /** Number of entries up to the end of the segment {@code depth}. */
    public long slots(int depth) {
        return parts[depth].endSlot();
    }

    /** The number of the first slot of a segment; with 0, of the first part. The slots of a segment follow one another, entries and tuples. */
    public long firstSlot(int segment) {
        return parts[segment].firstSlot;
    }

    /**
     * Offset of one of the buckets that a key may be in.
     *
     * @param choice 0 for the home bucket, 1 and 2 for the alternates, then three for each segment
     */
    public long bucketOffset(long keyHash, int choice) {
        return choice < CHOICES
                ? bucket(keyHash ^ CHOICE_SEEDS[choice], buckets) * BUCKET_BYTES
                : overflowBucketOffset(keyHash, choice / CHOICES, choice % CHOICES);
    }

    private long overflowBucketOffset(long keyHash, int segment, int choice) {
        Part part = parts[segment];
        long seeded = keyHash ^ CHOICE_SEEDS[choice] ^ segment * PART_SEED;
        return part.bucketsOffset + bucket(seeded, part.buckets) * BUCKET_BYTES;
    }

    /** Offset of the leaf that covers a key: the one of its home bucket. */
    public long leafOffset(long keyHash) {
        return leavesOffset + bucket(keyHash ^ CHOICE_SEEDS[0], buckets) * leafBytes;
    }

    /** Bytes from one leaf to the next. */
    public int leafBytes() {
        return leafBytes;
    }

    /** Offset of the version in a leaf. */
    public int leafVersionOffset() {
        return leafVersionOffset;
    }

    /** Offset of the depth in a leaf, right behind the version. Only where there are {@link #segments}. */
    public int leafDepthOffset() {
        assert segments() > 0 : schema.name();
        return leafVersionOffset + Memory.WORD_BYTES;
    }

    /** Bytes of a leaf that a reader needs, from {@link #leafVersionOffset} on: the version, and the depth if there is one. */
    public int leafStateBytes() {
        return segments() == 0 ? Memory.WORD_BYTES : 2 * Memory.WORD_BYTES;
    }

    /** Offset of the word that is not 0 if a segment is in use. */
    public long markOffset(int segment) {
        assert segment > 0 && segment <= segments() : segment;
        return marksOffset + (segment - 1L) * Memory.WORD_BYTES;
    }

    /** Offset of the marks of all segments, a cache line. */
    public long marksOffset() {
        return marksOffset;
    }

    /** Offset of the leaf with this number, 0 to {@link #buckets()} - 1. */
    public long leafOffsetAt(long leaf) {
        return leavesOffset + leaf * leafBytes;
    }

    /** Offset of the entry with this number, 0 to {@link #slots()} - 1. */
    public long entryOffset(long slot) {
        return parts[segmentOfSlot(slot)].entryOffset(slot);
    }

    /** Offset of the tuple slot with this number. */
    public long tupleOffset(long slot) {
        Part part = parts[segmentOfSlot(slot)];
        return part.tuplesOffset + (slot - part.firstSlot) * tuple.slotBytes();
    }

    /** The segment of a slot, or 0. */
    public int segmentOfSlot(long slot) {
        int segment = segments();
        while (slot < parts[segment].firstSlot) {
            segment--;
        }
        return segment;
    }

    /** The segment in which an entry or tuple lies, or 0. */
    public int segmentOf(long offset) {
        int segment = segments();
        while (segment > 0 && offset < parts[segment].bucketsOffset) {
            segment--;
        }
        return segment;
    }

    /** The number of the slot whose entry is at {@code entryOffset}. */
    public long slotOfEntry(long entryOffset) {
        Part part = parts[segmentOf(entryOffset)];
        return part.firstSlot + (entryOffset - part.bucketsOffset) / Memory.WORD_BYTES;
    }

    /** Offset of the tuple whose entry is at {@code entryOffset}. */
    public long tupleOfEntry(long entryOffset) {
        Part part = parts[segmentOf(entryOffset)];
        return part.tuplesOffset + (entryOffset - part.bucketsOffset) / Memory.WORD_BYTES * tuple.slotBytes();
    }

    /** Offset of the entry whose tuple is at {@code tupleOffset}. */
    public long entryOfTuple(long tupleOffset) {
        Part part = parts[segmentOf(tupleOffset)];
        return part.bucketsOffset + (tupleOffset - part.tuplesOffset) / tuple.slotBytes() * Memory.WORD_BYTES;
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

    /** The set of empty entries' numbers, one bit each. */
    private static long emptyEntries(Memory memory, long offset) {
        long empty = 0;
        for (int i = 0; i < BUCKET_ENTRIES; i++) {
            if (memory.getAcquire(offset + (long) i * Memory.WORD_BYTES) == IndexEntry.EMPTY) {
                empty |= 1L << i;
            }
        }
        return empty;
    }

    private static long bucket(long seededHash, long buckets) {
        return Math.unsignedMultiplyHigh(KeyHash.mix(seededHash), buckets);
    }
}
