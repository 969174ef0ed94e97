package dev.rcc.core.txn;

import dev.rcc.core.store.Table;
import java.util.Arrays;

/**
 * What a range scan has found, in the order of the keys. All records have been fetched. It does not change any more,
 * whatever its transaction inserts or deletes afterwards, belongs to its transaction, and is good for one attempt.
 */
public final class Scan {
    private Table table;
    private Intent intent;
    private long from;
    private long last;
    private int size;
    private long[] keys = {};
    private Access[] accesses = {};

    void reset(Table newTable, Intent newIntent, long newFrom, long newLast) {
        table = newTable;
        intent = newIntent;
        from = newFrom;
        last = newLast;
        size = 0;
    }

    void add(long key, Access access) {
        if (size == keys.length) {
            int length = Math.max(16, 2 * size);
            keys = Arrays.copyOf(keys, length);
            accesses = Arrays.copyOf(accesses, length);
        }
        keys[size] = key;
        accesses[size] = access;
        size++;
    }

    void endsAt(long key) {
        last = key;
    }

    /** Number of records found. */
    public int size() {
        return size;
    }

    /** The key of the {@code i}-th record. */
    public long key(int i) {
        assert i < size : i;
        return keys[i];
    }

    /** The access of the {@code i}-th record. */
    public Access access(int i) {
        assert i < size : i;
        return accesses[i];
    }

    /** The table. */
    public Table table() {
        return table;
    }

    /** What the records were scanned for. */
    public Intent intent() {
        return intent;
    }

    /** The first key of the range. */
    public long from() {
        return from;
    }

    /**
     * The last key, inclusive, up to which the scan has seen all that there is: the range's last, or the last key found if
     * the limit ended the scan. Less than {@link #from} when nothing was looked at.
     */
    public long last() {
        return last;
    }
}
