package dev.rcc.protocols.common;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.txn.Access;

/**
 * The index as a coordinator sees it: copies of a key's buckets in the buffers, one after the other from an offset on, which
 * {@link #read} fills by READs. A <i>place</i> is {@code choice * BUCKET_ENTRIES + entry}. Used on one coroutine.
 */
public final class IndexProbe {
    /** Bytes of the copies of a key's buckets. */
    public static final int BYTES = TableLayout.CHOICES * TableLayout.BUCKET_BYTES;
    /** No place. */
    public static final int NOWHERE = -1;

    private static final int PLACES = TableLayout.CHOICES * TableLayout.BUCKET_ENTRIES;

    private final Memory buffers;
    private final long[] offsets = new long[TableLayout.CHOICES];

    /** Looks into copies in {@code buffers}. */
    public IndexProbe(Memory buffers) {
        this.buffers = buffers;
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
     * Looks for an entry in the copies, all of which have been read.
     *
     * @param from the place to start from
     * @param entry its content
     * @return the place, or {@link #NOWHERE}
     */
    public int next(long copies, int from, long entry) {
        for (int place = from; place < PLACES; place++) {
            if (buffers.getLong(copies + (long) place * Memory.WORD_BYTES) == entry) {
                return place;
            }
        }
        return NOWHERE;
    }

    /** The place for a new key, all of whose buckets have been read, or {@link #NOWHERE} if they are full. */
    public int chooseEmpty(long copies) {
        for (int choice = 0; choice < TableLayout.CHOICES; choice++) {
            offsets[choice] = copy(copies, choice);
        }
        return TableLayout.chooseEmpty(buffers, offsets);
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
