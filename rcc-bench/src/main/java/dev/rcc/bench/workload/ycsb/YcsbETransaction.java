package dev.rcc.bench.workload.ycsb;

import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;

/** Scans from a record, or inserts one. */
final class YcsbETransaction implements Procedure {
    private final Table table;
    private final int recordBytes;
    private boolean isInsert;
    private long key;
    private int limit;
    private Access inserted;
    private boolean isWrong;

    YcsbETransaction(Table table) {
        this.table = table;
        this.recordBytes = table.schema().recordBytes();
    }

    /** Makes it an insert. */
    void insert(long newKey) {
        isInsert = true;
        key = newKey;
    }

    /** Makes it a scan of so many records, the first of which exists. */
    void scan(long from, int newLimit) {
        isInsert = false;
        key = from;
        limit = newLimit;
    }

    boolean isInsert() {
        return isInsert;
    }

    /** Whether the last attempt met what cannot be. */
    boolean isWrong() {
        return isWrong;
    }

    @Override
    public void declare(Transaction txn) {
        inserted = isInsert ? txn.insert(table, key) : null;
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
            isWrong = !isRight(txn.scanFrom(table, key, limit, Intent.READ));
        }
    }

    private boolean isRight(Scan scan) {
        if (scan.size() == 0 || scan.key(0) != key) {
            return false;
        }
        for (int i = 0; i < scan.size(); i++) {
            if (i > 0 && scan.key(i) <= scan.key(i - 1)) {
                return false;
            }
            long word = KeyHash.mix(scan.key(i));
            for (int offset = 0; offset < recordBytes; offset += Long.BYTES) {
                if (scan.access(i).getLong(offset) != word) {
                    return false;
                }
            }
        }
        return true;
    }
}
