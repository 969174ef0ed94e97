package dev.rcc.protocols.optimistic;

import dev.rcc.core.txn.Transaction;
import java.util.Arrays;

/**
 * The reads of an attempt: an entry for each access, with the access's number, since a transaction that writes a record or inserts a
 * key has read it before. Reused from attempt to attempt; allocates nothing once it has met the largest attempt.
 */
public final class ReadSet {
    private final Transaction txn;
    private ReadEntry[] entries = {};
    private int size;

    /** The read set of {@code txn}. */
    public ReadSet(Transaction txn) {
        this.txn = txn;
    }

    /** Forgets the previous attempt. */
    public void clear() {
        size = 0;
    }

    /** Makes entries for the accesses that have none yet, or the first {@code limit} of them, and returns the number of the first. */
    public int admitNew(int limit) {
        int first = size;
        if (txn.size() > entries.length) {
            int old = entries.length;
            entries = Arrays.copyOf(entries, Math.max(16, 2 * txn.size()));
            for (int i = old; i < entries.length; i++) {
                entries[i] = new ReadEntry();
            }
        }
        while (size < txn.size() && size - first < limit) {
            entries[size].reset(txn.access(size));
            size++;
        }
        return first;
    }

    /** Number of entries. */
    public int size() {
        return size;
    }

    /** The entry of the access with this number. */
    public ReadEntry entry(int i) {
        assert i < size : i;
        return entries[i];
    }
}
