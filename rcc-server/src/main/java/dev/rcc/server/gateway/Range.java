package dev.rcc.server.gateway;

import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Key;
import dev.rcc.core.store.ByteKeySlot;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;
import java.util.Comparator;

/**
 * A range of keys of an ordered table, as a client gives it.
 *
 * @param table the table
 * @param descending whether it is scanned from its upper end on
 * @param from its lower end; of the table's kind of keys, if there is a key
 * @param to its upper end; of the table's kind of keys, if there is a key
 */
record Range(Table table, boolean descending, Bound from, Bound to) {
    /** The order of keys of one kind. */
    static final Comparator<Key> ORDER = (a, b) -> switch (a) {
        case Key.OfLong k -> Long.compare(k.value(), ((Key.OfLong) b).value());
        case Key.OfBytes k -> k.value().compareTo(((Key.OfBytes) b).value());
    };

    private static final byte[] START = {};

    /** The part that a scan has seen when it has reached a key. */
    Range upTo(Key last) {
        return descending
                ? new Range(table, true, Bound.with(last), to)
                : new Range(table, false, from, Bound.with(last));
    }

    /** The order in which the keys are scanned. */
    Comparator<Key> order() {
        return descending ? ORDER.reversed() : ORDER;
    }

    /** Whether a key of the table is in the range. */
    boolean contains(Key key) {
        return isAfter(key) && isBefore(key);
    }

    private boolean isAfter(Key key) {
        int order = from.key() == null ? 1 : ORDER.compare(key, from.key());
        return order > 0 || (order == 0 && from.isInclusive());
    }

    private boolean isBefore(Key key) {
        int order = to.key() == null ? -1 : ORDER.compare(key, to.key());
        return order < 0 || (order == 0 && to.isInclusive());
    }

    /** Scans the range. */
    Scan scan(Transaction txn, int limit, Intent intent) {
        return table.schema().keyKind() == KeyKind.LONG
                ? scanNumbers(txn, limit, intent)
                : scanBytes(txn, limit, intent);
    }

    private Scan scanNumbers(Transaction txn, int limit, Intent intent) {
        long first = from.key() == null ? Long.MIN_VALUE : ((Key.OfLong) from.key()).value();
        boolean isAfterAll = from.key() != null && !from.isInclusive() && first == Long.MAX_VALUE;
        if (from.key() != null && !from.isInclusive() && !isAfterAll) {
            first++;
        }
        if (to.key() == null && !isAfterAll) {
            return scanFrom(txn, first, limit, intent);
        }
        long end = isAfterAll ? Long.MIN_VALUE : ((Key.OfLong) to.key()).value();
        if (!isAfterAll && to.isInclusive()) {
            if (end == Long.MAX_VALUE) {
                return scanFrom(txn, first, limit, intent);
            }
            end++;
        }
        return descending ? txn.scanDown(table, first, end, limit, intent) : txn.scan(table, first, end, limit, intent);
    }

    private Scan scanFrom(Transaction txn, long first, int limit, Intent intent) {
        return descending ? txn.scanDownFrom(table, first, limit, intent) : txn.scanFrom(table, first, limit, intent);
    }

    private Scan scanBytes(Transaction txn, int limit, Intent intent) {
        byte[] first = from.key() == null ? START : bytes(from.key());
        if (from.key() != null && !from.isInclusive()) {
            first = ByteKeySlot.after(first);
        }
        if (to.key() == null) {
            return descending
                    ? txn.scanDownFrom(table, first, limit, intent)
                    : txn.scanFrom(table, first, limit, intent);
        }
        byte[] end = to.isInclusive() ? ByteKeySlot.after(bytes(to.key())) : bytes(to.key());
        return descending ? txn.scanDown(table, first, end, limit, intent) : txn.scan(table, first, end, limit, intent);
    }

    private static byte[] bytes(Key key) {
        return ((Key.OfBytes) key).value().unsafeArray();
    }

    /** The key of a record that was scanned. */
    static Key key(Scan scan, int i) {
        return scan.table().schema().keyKind() == KeyKind.LONG
                ? Key.of(scan.key(i))
                : new Key.OfBytes(Bytes.wrap(scan.byteKey(i)));
    }
}
