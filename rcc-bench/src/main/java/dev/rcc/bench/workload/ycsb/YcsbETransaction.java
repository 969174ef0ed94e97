package dev.rcc.bench.workload.ycsb;

import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;

/** Scans from a record, or inserts one. */
final class YcsbETransaction implements Procedure {
    private final Table table;
    private final YcsbEKeys keys;
    private final int recordBytes;
    private boolean isInsert;
    private long key;
    private int limit;
    private Access inserted;
    private boolean isWrong;

    YcsbETransaction(Table table, YcsbEKeys keys) {
        this.table = table;
        this.keys = keys;
        this.recordBytes = table.schema().recordBytes();
    }

    /** Makes the transaction an insert. */
    void insert(long newKey) {
        isInsert = true;
        key = newKey;
    }

    /** Makes the transaction a scan of up to {@code newLimit} records, the first of which exists. */
    void scan(long from, int newLimit) {
        isInsert = false;
        key = from;
        limit = newLimit;
    }

    boolean isInsert() {
        return isInsert;
    }

    /** Whether the last attempt read an impossible state. */
    boolean isWrong() {
        return isWrong;
    }

    @Override
    public void declare(Transaction txn) {
        inserted = isInsert ? keys.insert(txn, table, key) : null;
    }

    @Override
    public void execute(Transaction txn) {
        if (isInsert) {
            isWrong = inserted.exists();
            long word = KeyHash.mix(key);
            for (int offset = 0; !isWrong && offset < recordBytes; offset += Long.BYTES) {
                inserted.putLong(offset, word);
            }
        } else {
            isWrong = !isRight(keys.scanFrom(txn, table, key, limit));
        }
    }

    private boolean isRight(Scan scan) {
        if (scan.size() == 0 || keys.key(scan, 0) != key) {
            return false;
        }
        for (int i = 0; i < scan.size(); i++) {
            if (i > 0 && !keys.ascends(scan, i)) {
                return false;
            }
            long word = KeyHash.mix(keys.key(scan, i));
            for (int offset = 0; offset < recordBytes; offset += Long.BYTES) {
                if (scan.access(i).getLong(offset) != word) {
                    return false;
                }
            }
        }
        return true;
    }
}
