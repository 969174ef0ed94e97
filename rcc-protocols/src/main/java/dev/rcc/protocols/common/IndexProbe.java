package dev.rcc.protocols.common;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.txn.Access;

/**
 * The index as a coordinator sees it: copies of a key's buckets in the buffers, one after the other from an offset on, which
 * {@link #read} fills by READs: the three of the first part, then three of each overflow segment. A <i>place</i> is
 * {@code choice * BUCKET_ENTRIES + entry}. Used on one coroutine.
 */
public final class IndexProbe {
    /** No place. */
    public static final int NOWHERE = -1;
    /** The most bytes that {@link #readLeafState} reads. */
    public static final int LEAF_STATE_BYTES = 2 * Memory.WORD_BYTES;

    private static final int PLACES = TableLayout.CHOICES * TableLayout.BUCKET_ENTRIES;

    private final Memory buffers;
    private final long[] offsets = new long[TableLayout.CHOICES];

    /** Looks into copies in {@code buffers}. */
    public IndexProbe(Memory buffers) {
        this.buffers = buffers;
    }

    /** The number of buckets that a key may be in, in the first part and {@code depth} segments. */
    public static int buckets(int depth) {
        return (1 + depth) * TableLayout.CHOICES;
    }

    /** Bytes of copies of the buckets of the first part and {@code depth} segments. */
    public static int bytes(int depth) {
        return buckets(depth) * TableLayout.BUCKET_BYTES;
    }

    /** Appends READs of the buckets with numbers {@code from} to {@code to} - 1 among the key's choices. */
    public static void read(Batch batch, Access access, int from, int to, long copies) {
        for (int choice = from; choice < to; choice++) {
            long bucket = access.table().layout().bucketOffset(access.keyHash(), choice);
            batch.read(address(access, bucket), TableLayout.BUCKET_BYTES, copy(copies, choice));
        }
    }

    /**
     * Looks for the key's entry.
     *
     * @param from the place to start from
     * @param buckets how many of the copies have been read
     * @return the place, or {@link #NOWHERE}
     */
    public int find(Access access, long copies, int from, int buckets) {
        for (int place = from; place < buckets * TableLayout.BUCKET_ENTRIES; ) {
            int choice = place / TableLayout.BUCKET_ENTRIES;
            int entry = TableLayout.find(
                    buffers, copy(copies, choice), access.keyHash(), place % TableLayout.BUCKET_ENTRIES);
            if (entry >= 0) {
                return choice * TableLayout.BUCKET_ENTRIES + entry;
            }
            place = (choice + 1) * TableLayout.BUCKET_ENTRIES;
        }
        return NOWHERE;
    }

    /**
     * Looks for an entry in copies that have been read.
     *
     * @param from the place to start from
     * @param end the place to end before
     * @param entry its content
     * @return the place, or {@link #NOWHERE}
     */
    public int next(long copies, int from, int end, long entry) {
        for (int place = from; place < end; place++) {
            if (buffers.getLong(copies + (long) place * Memory.WORD_BYTES) == entry) {
                return place;
            }
        }
        return NOWHERE;
    }

    /**
     * The place for a new key, or {@link #NOWHERE} if all buckets that were read are full.
     *
     * @param depth how many segments' buckets have been read behind the first part's
     */
    public int chooseEmpty(long copies, int depth) {
        for (int segment = 0; segment <= depth; segment++) {
            for (int choice = 0; choice < TableLayout.CHOICES; choice++) {
                offsets[choice] = copy(copies, segment * TableLayout.CHOICES + choice);
            }
            int chosen = TableLayout.chooseEmpty(buffers, offsets);
            if (chosen >= 0) {
                return segment * PLACES + chosen;
            }
        }
        return NOWHERE;
    }

    /** The address of the entry at a place. */
    public static long entryAddress(Access access, int place) {
        long bucket = access.table().layout().bucketOffset(access.keyHash(), place / TableLayout.BUCKET_ENTRIES);
        return address(access, bucket + (long) (place % TableLayout.BUCKET_ENTRIES) * Memory.WORD_BYTES);
    }

    /** The address of the tuple whose entry is at a place. */
    public static long tupleAddress(Access access, int place) {
        long entry = RemoteAddress.offset(entryAddress(access, place));
        return address(access, access.table().layout().tupleOfEntry(entry));
    }

    /** The address of the entry of the access's tuple. */
    public static long entryOfTuple(Access access) {
        return address(access, access.table().layout().entryOfTuple(RemoteAddress.offset(access.tupleAddress())));
    }

    /** The address of the version of the leaf that covers the access's key. */
    public static long leafVersionAddress(Access access) {
        return leafAddress(access) + access.table().layout().leafVersionOffset();
    }

    /**
     * Appends a READ of the version of the leaf that covers the access's key and, if the table may grow, its depth, the words in any order. Where the depth
     * has to be no older than the version, a later batch has to read it.
     */
    public static void readLeafState(Batch batch, Access access, long target) {
        batch.read(leafVersionAddress(access), access.table().layout().leafStateBytes(), target);
    }

    /** The depth that lies behind a leaf's version, which a READ has put at {@code target}. */
    public static int leafDepth(TableLayout layout, Memory buffers, long target) {
        return layout.segments() == 0 ? 0 : (int) buffers.getLong(target + Memory.WORD_BYTES);
    }

    /**
     * Makes lookups of the access's key look into an overflow segment, if they do not yet. Appended before the entry there is claimed, and while the
     * leaf is held exclusively.
     */
    public static void deepen(Batch batch, Access access, LeafLock leaf, int segment) {
        if (segment > leaf.depth()) {
            TableLayout layout = access.table().layout();
            batch.writeWord(1, address(access, layout.markOffset(segment)))
                    .writeWord(segment, leafAddress(access) + layout.leafDepthOffset());
            leaf.depth(segment);
        }
    }

    /** The address of the leaf that covers the access's key. */
    public static long leafAddress(Access access) {
        return address(access, access.table().layout().leafOffset(access.keyHash()));
    }

    private static long address(Access access, long offset) {
        return access.table().address(access.node(), access.partition(), offset);
    }

    private static long copy(long copies, int choice) {
        return copies + (long) choice * TableLayout.BUCKET_BYTES;
    }
}
