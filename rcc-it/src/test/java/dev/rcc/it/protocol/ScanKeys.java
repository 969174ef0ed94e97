package dev.rcc.it.protocol;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;
import dev.rcc.server.node.Loader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/** Numbers as the keys of an ordered table, in their order: as they are, or as byte strings of different lengths. */
enum ScanKeys {
    NUMBERS {
        @Override
        TableSchema schema() { // leaves of 8 keys, inner nodes of 4 children
            return TableSchema.ofLongKeys(0, "orders", 8, 300).ordered(104);
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
        Access update(Transaction txn, Table table, long key) {
            return txn.update(table, key);
        }

        @Override
        Access delete(Transaction txn, Table table, long key) {
            return txn.delete(table, key);
        }

        @Override
        Scan scan(Transaction txn, Table table, long from, long to, int limit, Intent intent) {
            return txn.scan(table, from, to, limit, intent);
        }

        @Override
        Scan scanDown(Transaction txn, Table table, long from, long to, int limit) {
            return txn.scanDown(table, from, to, limit, Intent.READ);
        }

        @Override
        long key(Scan scan, int i) {
            return scan.key(i);
        }
    },
    STRINGS {
        @Override
        TableSchema schema() { // leaves of 5 keys, inner nodes of 4 children
            return TableSchema.ofByteKeys(0, "names", KEY_BYTES, 8, 300)
                    .ordered(IndexNodeLayout.minNodeBytes(KeyKind.BYTES, KEY_BYTES));
        }

        @Override
        void load(Loader loader, Table table, long key, Consumer<Memory> fill) {
            loader.load(table, string(key), fill);
        }

        @Override
        Access insert(Transaction txn, Table table, long key) {
            return txn.insert(table, string(key));
        }

        @Override
        Access update(Transaction txn, Table table, long key) {
            return txn.update(table, string(key));
        }

        @Override
        Access delete(Transaction txn, Table table, long key) {
            return txn.delete(table, string(key));
        }

        @Override
        Scan scan(Transaction txn, Table table, long from, long to, int limit, Intent intent) {
            return txn.scan(table, string(from), string(to), limit, intent);
        }

        @Override
        Scan scanDown(Transaction txn, Table table, long from, long to, int limit) {
            return txn.scanDown(table, string(from), string(to), limit, Intent.READ);
        }

        @Override
        long key(Scan scan, int i) {
            byte[] key = Arrays.copyOfRange(scan.byteKey(i), 1, 1 + Long.BYTES);
            return ByteBuffer.wrap(key).getLong() ^ Long.MIN_VALUE;
        }
    };

    private static final int KEY_BYTES = 1 + Long.BYTES;

    abstract TableSchema schema();

    abstract void load(Loader loader, Table table, long key, Consumer<Memory> fill);

    abstract Access insert(Transaction txn, Table table, long key);

    abstract Access update(Transaction txn, Table table, long key);

    abstract Access delete(Transaction txn, Table table, long key);

    abstract Scan scan(Transaction txn, Table table, long from, long to, int limit, Intent intent);

    Scan scan(Transaction txn, Table table, long from, long to, int limit) {
        return scan(txn, table, from, to, limit, Intent.READ);
    }

    /** From the greatest key down. */
    abstract Scan scanDown(Transaction txn, Table table, long from, long to, int limit);

    /** One way or the other. */
    Scan scan(Transaction txn, Table table, long from, long to, int limit, boolean descends) {
        return descends ? scanDown(txn, table, from, to, limit) : scan(txn, table, from, to, limit);
    }

    abstract long key(Scan scan, int i);

    /** A letter, then the bytes of a number that order as it does, without the zeros at their end. */
    private static byte[] string(long key) {
        byte[] all = ByteBuffer.allocate(KEY_BYTES)
                .put((byte) 'k')
                .putLong(key ^ Long.MIN_VALUE)
                .array();
        int length = KEY_BYTES;
        while (all[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(all, length);
    }
}
