package dev.rcc.bench.workload.ycsb;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;
import dev.rcc.server.node.Loader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** The form of workload E's keys: 64-bit numbers, or the same numbers written as YCSB does. Of one coroutine. */
abstract class YcsbEKeys {
    static final String NUMBERS = "numbers";
    static final String STRINGS = "strings";
    static final List<String> KINDS = List.of(NUMBERS, STRINGS);

    static YcsbEKeys of(String kind) {
        return kind.equals(STRINGS) ? new Strings() : new Numbers();
    }

    abstract TableSchema schema(String name, int recordBytes, long capacity);

    /** Keys of a leaf, at the least and on average, if there are no deletes. */
    abstract int keysOfALeaf();

    abstract void load(Loader loader, Table table, long key, Consumer<Memory> fill);

    abstract Access insert(Transaction txn, Table table, long key);

    abstract Scan scanFrom(Transaction txn, Table table, long key, int limit);

    /** The key of a scanned record. */
    abstract long key(Scan scan, int i);

    /** Whether a scanned record, other than the first, comes after the record before it. */
    abstract boolean ascends(Scan scan, int i);

    /** The key whose bytes are at an offset, after their header. */
    abstract long key(Memory memory, long keyOffset);

    private static final class Numbers extends YcsbEKeys {
        @Override
        TableSchema schema(String name, int recordBytes, long capacity) {
            return TableSchema.ofLongKeys(0, name, recordBytes, capacity).ordered();
        }

        @Override
        int keysOfALeaf() {
            return 20;
        }

        @Override
        void load(Loader loader, Table table, long key, Consumer<Memory> fill) {
            loader.load(table, key, fill);
        }

        @Override
        Access insert(Transaction txn, Table table, long key) {
            return txn.insert(table, key);
        }

        @Override
        Scan scanFrom(Transaction txn, Table table, long key, int limit) {
            return txn.scanFrom(table, key, limit, Intent.READ);
        }

        @Override
        long key(Scan scan, int i) {
            return scan.key(i);
        }

        @Override
        boolean ascends(Scan scan, int i) {
            return scan.key(i) > scan.key(i - 1);
        }

        @Override
        long key(Memory memory, long keyOffset) {
            return memory.getLong(keyOffset);
        }
    }

    /** "user" and the number, unsigned, without zeros in front: so keys differ in length. */
    private static final class Strings extends YcsbEKeys {
        private static final byte[] PREFIX = "user".getBytes(StandardCharsets.US_ASCII);
        private static final int MAX_DIGITS = 20;
        private static final int MAX_BYTES = PREFIX.length + MAX_DIGITS;

        /** The texts by length. */
        private final byte[][] texts = new byte[MAX_BYTES + 1][];

        private final byte[] found = new byte[MAX_BYTES];
        private final byte[] before = new byte[MAX_BYTES];

        Strings() {
            Arrays.setAll(texts, byte[]::new);
        }

        @Override
        TableSchema schema(String name, int recordBytes, long capacity) {
            return TableSchema.ofByteKeys(0, name, MAX_BYTES, recordBytes, capacity)
                    .ordered();
        }

        @Override
        int keysOfALeaf() {
            return 13;
        }

        @Override
        void load(Loader loader, Table table, long key, Consumer<Memory> fill) {
            loader.load(table, text(key), fill);
        }

        @Override
        Access insert(Transaction txn, Table table, long key) {
            return txn.insert(table, text(key));
        }

        @Override
        Scan scanFrom(Transaction txn, Table table, long key, int limit) {
            return txn.scanFrom(table, text(key), limit, Intent.READ);
        }

        @Override
        long key(Scan scan, int i) {
            Access access = scan.access(i);
            access.getKey(found, 0);
            return number(found, access.keyBytes());
        }

        @Override
        boolean ascends(Scan scan, int i) {
            Access first = scan.access(i - 1);
            Access second = scan.access(i);
            first.getKey(before, 0);
            second.getKey(found, 0);
            return Arrays.compareUnsigned(before, 0, first.keyBytes(), found, 0, second.keyBytes()) < 0;
        }

        @Override
        long key(Memory memory, long keyOffset) {
            int bytes = TupleLayout.keyLength(memory.getLong(keyOffset - Memory.WORD_BYTES));
            memory.getBytes(keyOffset, found, 0, bytes);
            return number(found, bytes);
        }

        /** A key in its written form; valid until the next one of the same length. */
        private byte[] text(long key) {
            int digits = 1;
            for (long rest = Long.divideUnsigned(key, 10); rest != 0; rest /= 10) {
                digits++;
            }
            byte[] text = texts[PREFIX.length + digits];
            System.arraycopy(PREFIX, 0, text, 0, PREFIX.length);
            long rest = key;
            for (int i = text.length - 1; i >= PREFIX.length; i--) {
                text[i] = (byte) ('0' + Long.remainderUnsigned(rest, 10));
                rest = Long.divideUnsigned(rest, 10);
            }
            return text;
        }

        private static long number(byte[] text, int bytes) {
            long number = 0;
            for (int i = PREFIX.length; i < bytes; i++) {
                number = 10 * number + text[i] - '0';
            }
            return number;
        }
    }
}
