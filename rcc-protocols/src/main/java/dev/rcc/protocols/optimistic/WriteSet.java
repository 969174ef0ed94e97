package dev.rcc.protocols.optimistic;

import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.protocols.common.IndexProbe;
import java.util.Arrays;

/**
 * What an attempt writes: an entry for each access that changes something, and the leaves of the keys that come or go, of
 * which several entries may share one. Reused from attempt to attempt; allocates nothing once it has met the largest.
 */
public final class WriteSet {
    private WriteEntry[] entries = {};
    private LeafLock[] leaves = {};
    private int size;
    private int leafCount;

    /** An empty write set. */
    public WriteSet() {}

    /** Forgets the attempt before. */
    public void clear() {
        size = 0;
        leafCount = 0;
    }

    /** Makes an entry for each access of the read set that changes something. Called once an attempt. */
    public void collect(ReadSet reads) {
        assert size == 0 : "collected twice";
        for (int i = 0; i < reads.size(); i++) {
            if (reads.entry(i).access().isWrite()) {
                add(reads.entry(i));
            }
        }
    }

    /** Whether nothing is written. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Number of entries. */
    public int size() {
        return size;
    }

    /** The entry with this number. */
    public WriteEntry entry(int i) {
        assert i < size : i;
        return entries[i];
    }

    /** Number of leaves. */
    public int leaves() {
        return leafCount;
    }

    /** The leaf with this number. */
    public LeafLock leaf(int i) {
        assert i < leafCount : i;
        return leaves[i];
    }

    private void add(ReadEntry read) {
        if (size == entries.length) {
            entries = Arrays.copyOf(entries, Math.max(8, 2 * size));
            for (int i = size; i < entries.length; i++) {
                entries[i] = new WriteEntry();
            }
        }
        entries[size++].reset(read, read.access().intent() == Intent.UPDATE ? null : leafOf(read.access()));
    }

    private LeafLock leafOf(Access access) {
        long address = IndexProbe.leafAddress(access);
        for (int i = 0; i < leafCount; i++) {
            if (leaves[i].address == address) {
                return leaves[i];
            }
        }
        if (leafCount == leaves.length) {
            leaves = Arrays.copyOf(leaves, Math.max(8, 2 * leafCount));
            for (int i = leafCount; i < leaves.length; i++) {
                leaves[i] = new LeafLock();
            }
        }
        LeafLock leaf = leaves[leafCount++];
        leaf.reset(address, access.table().layout().leafVersionOffset());
        return leaf;
    }
}
