package dev.rcc.protocols.common;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.BufferSlice;

/**
 * A coordinator's copies of a key's buckets, and how far it has searched them. An overflow segment has buckets of the key only if the key's leaf
 * records that. The copies have room for some segments: as many as the table is known to have overflowed into. Reused from attempt to attempt; used
 * on one coroutine.
 */
public final class BucketCopies {
    private long offset;
    private int room;
    private int depth;
    private int read;
    private int searched;

    /** Copies of nothing, without room. */
    public BucketCopies() {}

    /** Forgets the previous attempt. */
    public void reset() {
        place(0, 0);
    }

    /** Nothing is read yet, and there is room in the buffers at {@code newOffset}: {@link IndexProbe#bytes} of {@code newRoom}. */
    public void place(long newOffset, int newRoom) {
        offset = newOffset;
        room = newRoom;
        depth = 0;
        read = 0;
        searched = 0;
    }

    /** The number of segments for which there is room. */
    public int room() {
        return room;
    }

    /** How many segments the next READ of all buckets reads. */
    public int depth() {
        return depth;
    }

    /** Sets {@link #depth}; at most {@link #room}. */
    public void depth(int newDepth) {
        assert newDepth <= room : newDepth + " of " + room;
        depth = newDepth;
    }

    /** As {@link #depth(int)}, after taking more room if there is too little. Only while no READ is under way. */
    public void deepen(int newDepth, BufferSlice buffer) {
        if (newDepth > room) {
            long larger = buffer.allocate(IndexProbe.bytes(newDepth));
            buffer.memory().copy(offset, buffer.memory(), larger, (long) read * TableLayout.BUCKET_BYTES);
            offset = larger;
            room = newDepth;
        }
        depth = newDepth;
    }

    /** Appends the READ of the home bucket. */
    public void readHome(Batch batch, Access access) {
        read(batch, access, 0, 1);
        searched = 0;
    }

    /** Appends READs of all buckets except the home bucket, which has been read. */
    public void readOthers(Batch batch, Access access) {
        read(batch, access, 1, IndexProbe.buckets(depth));
    }

    /** Appends READs of all buckets. */
    public void readAll(Batch batch, Access access) {
        read(batch, access, 0, IndexProbe.buckets(depth));
        searched = 0;
    }

    private void read(Batch batch, Access access, int from, int to) {
        IndexProbe.read(batch, access, from, to, offset);
        read = to;
    }

    /** Whether the buckets of the first part and of {@code segments} segments have been read. */
    public boolean covers(int segments) {
        return read >= IndexProbe.buckets(segments);
    }

    /**
     * Goes on looking for the key's entry where the last search ended.
     *
     * @return the place, or {@link IndexProbe#NOWHERE}
     */
    public int findNext(IndexProbe probe, Access access) {
        int place = probe.find(access, offset, searched, read);
        searched = place == IndexProbe.NOWHERE ? read * TableLayout.BUCKET_ENTRIES : place + 1;
        return place;
    }

    /** The place for a new key, or {@link IndexProbe#NOWHERE} if all buckets that were read are full. */
    public int chooseEmpty(IndexProbe probe) {
        return probe.chooseEmpty(offset, segmentsRead());
    }

    /** How many segments have been read, behind the first part. */
    public int segmentsRead() {
        return read / TableLayout.CHOICES - 1;
    }
}
