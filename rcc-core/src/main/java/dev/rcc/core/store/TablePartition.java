package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Prefetch;
import dev.rcc.core.memory.Region;
import java.util.function.LongConsumer;

/**
 * A node's copy of one partition of a table, with the operations of the node's own CPU. An identity argument is a key header and padded key as
 * {@link TupleLayout} lays them out.
 *
 * <p>{@link #lookup}, {@link #reserve}, {@link #publish} and {@link #clear} may be called on any thread and agree with
 * peers that do the same by one-sided verbs. They change one word at a time and protect no tuple. Nothing allocates.
 */
public final class TablePartition {
    private final Table table;
    private final int partition;
    private final Region region;
    private final Memory memory;
    private final TableLayout layout;

    /** A partition in {@code region}, which has at least the layout's size. */
    public TablePartition(Table table, int partition, Region region) {
        this.table = table;
        this.partition = partition;
        this.region = region;
        this.memory = region.memory();
        this.layout = table.layout();
        if (memory.size() < layout.regionBytes()) {
            throw new IllegalArgumentException(
                    "table " + table + " needs " + layout.regionBytes() + " bytes, its region has " + memory.size());
        }
    }

    /** The table. */
    public Table table() {
        return table;
    }

    /** The partition's number. */
    public int partition() {
        return partition;
    }

    /** The region that holds the copy. */
    public Region region() {
        return region;
    }

    /** The region's bytes. */
    public Memory memory() {
        return memory;
    }

    /**
     * Finds a key: in the first part and then in the overflow segments, up to the depth of its leaf.
     *
     * @return the offset of its tuple, or -1
     */
    public long lookup(long keyHash, Memory identity, long identityOffset) {
        long tuple = lookup(0, keyHash, identity, identityOffset);
        if (tuple < 0 && layout.segments() > 0) {
            int depth = leafDepth(keyHash);
            for (int segment = 1; segment <= depth && tuple < 0; segment++) {
                tuple = lookup(segment, keyHash, identity, identityOffset);
            }
        }
        return tuple;
    }

    private long lookup(int segment, long keyHash, Memory identity, long identityOffset) {
        int first = segment * TableLayout.CHOICES;
        for (int choice = first; choice < first + TableLayout.CHOICES; choice++) {
            long bucket = layout.bucketOffset(keyHash, choice);
            for (int i = TableLayout.find(memory, bucket, keyHash, 0);
                    i >= 0;
                    i = TableLayout.find(memory, bucket, keyHash, i + 1)) {
                long tuple = layout.tupleOfEntry(bucket + (long) i * Memory.WORD_BYTES);
                if (hasIdentity(tuple, identity, identityOffset)) {
                    return tuple;
                }
            }
        }
        return -1;
    }

    /** The number of segments that a key may be in, according to the leaf that covers it. */
    public int leafDepth(long keyHash) {
        return layout.segments() == 0
                ? 0
                : (int) memory.getAcquire(layout.leafOffset(keyHash) + layout.leafDepthOffset());
    }

    /** The last segment that is in use, or 0. A walk of all slots can end there. */
    public int depth() {
        int depth = layout.segments();
        while (depth > 0 && memory.getAcquire(layout.markOffset(depth)) == 0) {
            depth--;
        }
        return depth;
    }

    /** Number of slots, including all segments that are in use. */
    public long slots() {
        return layout.slots(depth());
    }

    /**
     * Adds the bucket that a key is most likely in to what is about to be fetched or, in the next {@code round}, the tuple that is found in that bucket.
     *
     * @param round of {@link dev.rcc.core.fabric.RpcHandler#prefetch}
     */
    public void prefetch(long keyHash, int round, Prefetch prefetch) {
        long bucket = layout.bucketOffset(keyHash, 0);
        if (round == 0) {
            prefetch.add(memory, bucket);
            return;
        }
        int entry = TableLayout.find(memory, bucket, keyHash, 0);
        if (entry >= 0) {
            prefetch.add(memory, layout.tupleOfEntry(bucket + (long) entry * Memory.WORD_BYTES));
        }
    }

    /** Whether the slot at {@code tuple} holds the tuple with this identity. */
    public boolean hasIdentity(long tuple, Memory identity, long identityOffset) {
        TupleLayout t = layout.tuple();
        return memory.equalWords(tuple + t.identityOffset(), identity, identityOffset, t.identityBytes());
    }

    /**
     * Claims an entry, and with it the tuple slot of the same number, for a new key. Lookups do not see the entry yet, but search its segment from
     * now on. The caller holds the key's leaf.
     *
     * @param scratch room for {@link TableLayout#CHOICES} offsets
     * @return the entry's offset, or -1 when the key's buckets are full, including those in all segments
     */
    public long reserve(long keyHash, long[] scratch) {
        for (int segment = 0; segment <= layout.segments(); segment++) {
            long entry = reserve(segment, keyHash, scratch);
            if (entry >= 0) {
                deepen(keyHash, segment);
                return entry;
            }
        }
        return -1;
    }

    private long reserve(int segment, long keyHash, long[] scratch) {
        for (int choice = 0; choice < TableLayout.CHOICES; choice++) {
            scratch[choice] = layout.bucketOffset(keyHash, segment * TableLayout.CHOICES + choice);
        }
        while (true) {
            int chosen = TableLayout.chooseEmpty(memory, scratch);
            if (chosen < 0) {
                return -1;
            }
            long entry = scratch[chosen / TableLayout.BUCKET_ENTRIES]
                    + (long) (chosen % TableLayout.BUCKET_ENTRIES) * Memory.WORD_BYTES;
            if (memory.compareAndExchange(entry, IndexEntry.EMPTY, IndexEntry.reserved(keyHash)) == IndexEntry.EMPTY) {
                return entry;
            }
        }
    }

    /** Has lookups of a key search a segment, and the segments before it, from now on. The caller holds the key's leaf, or its turn to replay. */
    public void deepen(long keyHash, int segment) {
        if (leafDepth(keyHash) < segment) {
            use(segment);
            memory.putRelease(layout.leafOffset(keyHash) + layout.leafDepthOffset(), segment);
        }
    }

    /** Notes that a segment, unless it is 0, is in use. */
    public void use(int segment) {
        if (segment > 0) {
            memory.putRelease(layout.markOffset(segment), 1);
        }
    }

    /** Lets lookups see a reserved entry, whose tuple has been written. */
    public void publish(long entry, long keyHash) {
        memory.putRelease(entry, IndexEntry.live(keyHash));
    }

    /** Frees an entry, reserved or live, and with it the tuple slot, whose identity must have been cleared. */
    public void clear(long entry) {
        memory.putRelease(entry, IndexEntry.EMPTY);
    }

    /** Removes the identity of a tuple, so that a coordinator that has its address in a cache notices. */
    public void clearIdentity(long tuple) {
        memory.putRelease(tuple + layout.tuple().identityOffset(), 0);
    }

    /**
     * Puts a tuple in without regard to other transactions: for loading before the workers start.
     *
     * @param version the version that the record gets
     * @param record where the record's bytes lie, at {@code recordOffset}, padded to words
     * @return the entry, for {@link #loadCopy}
     * @throws TableFull when there is no room
     * @throws IllegalArgumentException when the key is there already
     */
    public long load(
            long keyHash, Memory identity, long identityOffset, long version, Memory record, long recordOffset) {
        if (lookup(keyHash, identity, identityOffset) >= 0) {
            throw new IllegalArgumentException("table " + table + " has a tuple with this key already");
        }
        long entry = reserve(keyHash, new long[TableLayout.CHOICES]);
        if (entry < 0) {
            throw new TableFull(table.schema(), partition);
        }
        TupleLayout t = layout.tuple();
        long tuple = layout.tupleOfEntry(entry);
        identity.copy(identityOffset, memory, tuple + t.identityOffset(), t.identityBytes());
        memory.putLong(tuple + t.versionOffset(), version);
        record.copy(recordOffset, memory, tuple + t.recordOffset(), t.recordBytes());
        t.putChecksum(memory, tuple, version);
        publish(entry, keyHash);
        return entry;
    }

    /**
     * Puts a tuple where another copy of this partition has just got it by {@link #load}. Both copies must have had the same loads before.
     *
     * @param entry the entry that {@code load} returned
     */
    public void loadCopy(TablePartition other, long entry, long keyHash) {
        long tuple = layout.tupleOfEntry(entry);
        other.memory.copy(tuple, memory, tuple, layout.tuple().tupleBytes());
        deepen(keyHash, other.leafDepth(keyHash));
        publish(entry, keyHash);
    }

    /** The hash of the key of the live tuple at {@code tuple}. */
    public long keyHash(long tuple) {
        return table.keyHashOfIdentity(partition, memory, tuple + layout.tuple().identityOffset());
    }

    /** Hands the offset of every live tuple to {@code visitor}, in slot order; for a partition at rest. */
    public void forEachTuple(LongConsumer visitor) {
        long slots = slots();
        for (long slot = 0; slot < slots; slot++) {
            if (IndexEntry.isLive(memory.getAcquire(layout.entryOffset(slot)))) {
                visitor.accept(layout.tupleOffset(slot));
            }
        }
    }
}
