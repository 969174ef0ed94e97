package dev.rcc.core.txn;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.ByteKeySlot;
import dev.rcc.core.store.KeySlot;
import dev.rcc.core.store.Table;
import java.util.Arrays;

/**
 * The records that a range scan has found, in the order of the keys, ascending or descending. All records have been fetched. The scan does not change
 * any more when its transaction inserts or deletes records afterwards. It belongs to its transaction, and is valid for one attempt.
 */
public final class Scan {
    private Table table;
    private Intent intent;
    private Memory memory;
    private KeySlot keys;
    private long from;
    private long last;
    private boolean descends;
    private int size;
    private Access[] accesses = {};

    /** Begins a scan. The first and the last key of its range are to be put into slots of {@code buffer}. */
    void reset(Table newTable, Intent newIntent, boolean newDescends, BufferSlice buffer) {
        table = newTable;
        intent = newIntent;
        descends = newDescends;
        memory = buffer.memory();
        keys = newTable.indexNodeLayout().keys();
        from = buffer.allocate(keys.bytes());
        last = buffer.allocate(keys.bytes());
        size = 0;
    }

    void add(Access access) {
        if (size == accesses.length) {
            accesses = Arrays.copyOf(accesses, Math.max(16, 2 * size));
        }
        accesses[size++] = access;
    }

    /** The slot of the first key. */
    long fromSlot() {
        return from;
    }

    /** The slot of the last key. */
    long lastSlot() {
        return last;
    }

    /** Makes the range empty. */
    void findsNothing() {
        keys.putGreatest(memory, from);
        keys.putLeast(memory, last);
    }

    /** The limit has ended the scan: keys behind the key in this slot, of the record found last, were not looked at. */
    void endsWith(long keySlot) {
        keys.copy(memory, keySlot, memory, descends ? from : last);
    }

    /** Number of records found. */
    public int size() {
        return size;
    }

    /** The 64-bit key of the {@code i}-th record; for a record that was found by an index, the record's own key and not the entry's. */
    public long key(int i) {
        return access(i).longKey();
    }

    /** The byte-string key of the {@code i}-th record. Allocates the array; {@link Access#getKey} does not. */
    public byte[] byteKey(int i) {
        return access(i).byteKey();
    }

    /** The access of the {@code i}-th record. */
    public Access access(int i) {
        assert i < size : i;
        return accesses[i];
    }

    /** The table, or the index that the records were found by. */
    public Table table() {
        return table;
    }

    /** Whether the greatest key is the first. */
    public boolean descends() {
        return descends;
    }

    /** The intent that the records were scanned for. */
    public Intent intent() {
        return intent;
    }

    /**
     * The first key of the range, of a table with 64-bit keys; or, if the scan descends and the limit ended it, the last key found, down to which it
     * has seen all keys.
     */
    public long from() {
        assert !(keys instanceof ByteKeySlot);
        return memory.getLong(from);
    }

    /**
     * The last key, inclusive, up to which the scan has seen all keys: the range's last, or the last key found if the limit ended a scan that
     * ascends. Less than {@link #from} if no key was looked at.
     */
    public long last() {
        assert !(keys instanceof ByteKeySlot);
        return memory.getLong(last);
    }

    /** As {@link #from}, of a table with byte-string keys: the first possible key of the range. */
    public byte[] byteFrom() {
        return ((ByteKeySlot) keys).key(memory, from);
    }

    /** As {@link #last}, of a table with byte-string keys. */
    public byte[] byteLast() {
        return ((ByteKeySlot) keys).key(memory, last);
    }
}
