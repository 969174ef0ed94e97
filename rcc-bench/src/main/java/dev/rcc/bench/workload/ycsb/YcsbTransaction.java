package dev.rcc.bench.workload.ycsb;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Fragment;
import dev.rcc.core.txn.Transaction;
import java.util.Arrays;

/**
 * Reads and writes records. Every write makes all words of the record equal, so that a reader can tell whether
 * the record is whole. Any node can run the transaction.
 */
final class YcsbTransaction implements Fragment {
    static final String NAME = "ycsb";

    /** The bytes of an operation: its key, and whether it writes. */
    private static final int OPERATION_BYTES = 2 * Long.BYTES;

    /** How a write finds the value for a record's words. */
    enum WriteKind {
        /** One more than the value before. */
        READ_MODIFY_WRITE("read-modify-write"),
        /** A value drawn before, whatever the old value. */
        BLIND("blind");

        final String label;

        WriteKind(String label) {
            this.label = label;
        }
    }

    private final Table table;
    private final int recordBytes;
    private final WriteKind writeKind;
    private final long computeNanos;
    private final long[] keys;
    private final boolean[] writes;
    private final Access[] accesses;
    private final byte[] record;
    private long blindValue;
    private long tornReads;

    YcsbTransaction(Table table, int operations, WriteKind writeKind, long computeNanos) {
        this.table = table;
        this.recordBytes = table.schema().recordBytes();
        this.writeKind = writeKind;
        this.computeNanos = computeNanos;
        this.keys = new long[operations];
        this.writes = new boolean[operations];
        this.accesses = new Access[operations];
        this.record = new byte[recordBytes];
    }

    int operations() {
        return keys.length;
    }

    long key(int i) {
        return keys[i];
    }

    boolean isWrite(int i) {
        return writes[i];
    }

    /** Sets an operation. */
    void operation(int i, long key, boolean isWrite) {
        keys[i] = key;
        writes[i] = isWrite;
    }

    /** Sets the value of blind writes. */
    void blindValue(long value) {
        blindValue = value;
    }

    /** The operations of the transaction, for the client library. */
    YcsbProcedure.Operations drawn() {
        return new YcsbProcedure.Operations(keys.clone(), writes.clone(), blindValue);
    }

    /** The number of torn records that the last attempt read. */
    long tornReads() {
        return tornReads;
    }

    int writeCount() {
        int count = 0;
        for (boolean isWrite : writes) {
            count += isWrite ? 1 : 0;
        }
        return count;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int argumentBytes() {
        return Long.BYTES + keys.length * OPERATION_BYTES;
    }

    @Override
    public void putArguments(Memory target, long offset) {
        target.putLong(offset, blindValue);
        long at = offset + Long.BYTES;
        for (int i = 0; i < keys.length; i++) {
            target.putLong(at, keys[i]);
            target.putLong(at + Long.BYTES, writes[i] ? 1 : 0);
            at += OPERATION_BYTES;
        }
    }

    @Override
    public void takeArguments(Memory source, long offset) {
        blindValue = source.getLong(offset);
        long at = offset + Long.BYTES;
        for (int i = 0; i < keys.length; i++) {
            keys[i] = source.getLong(at);
            writes[i] = source.getLong(at + Long.BYTES) != 0;
            at += OPERATION_BYTES;
        }
    }

    @Override
    public void declare(Transaction txn) {
        for (int i = 0; i < keys.length; i++) {
            accesses[i] = writes[i] ? txn.update(table, keys[i]) : txn.read(table, keys[i]);
        }
    }

    @Override
    public void execute(Transaction txn) {
        tornReads = 0;
        for (Access access : accesses) {
            tornReads += isWhole(access) ? 0 : 1;
        }
        if (computeNanos > 0) {
            txn.coroutine().worker().compute(computeNanos);
        }
        for (int i = 0; i < accesses.length; i++) {
            if (writes[i]) {
                write(accesses[i]);
            }
        }
    }

    /** Whether all words are equal: each equals the next. Comparing word by word would be a good part of the transaction's cost. */
    private boolean isWhole(Access access) {
        access.getBytes(0, record, 0, recordBytes);
        return Arrays.equals(record, 0, recordBytes - Long.BYTES, record, Long.BYTES, recordBytes);
    }

    private void write(Access access) {
        long value = writeKind == WriteKind.BLIND ? blindValue : access.getLong(0) + 1;
        for (int offset = 0; offset < recordBytes; offset += Long.BYTES) {
            access.putLong(offset, value);
        }
    }
}
