package dev.rcc.bench.workload.churn;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Fragment;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;
import java.util.List;

/**
 * Some operations on keys of the tables, and perhaps a scan. Late operations are declared only when the early ones have been
 * read. Their keys and purposes depend on the values read.
 *
 * <p>Throws when it reads a state that no transaction can have left behind. An attempt that read an inconsistent state may throw,
 * as long as no client sees it.
 *
 * <p>Any node can run it, as the id of an attempt is the same on all.
 */
final class ChurnTransaction implements Fragment {
    static final String NAME = "churn";

    /** The effect of an operation on a key. */
    private enum What {
        /** Reads the record, if there is one. */
        READ(Intent.READ),
        /** Replaces the record, if there is one. */
        UPDATE(Intent.UPDATE),
        /** Replaces the record, if there is one, without reading it: an update that was drawn to be blind. */
        WRITE(Intent.WRITE),
        /** Declares that it replaces the record, but does not replace it. */
        LOOK(Intent.UPDATE),
        /** Adds a record, if there is none. */
        INSERT(Intent.INSERT),
        /** Removes the record, if there is one. */
        DELETE(Intent.DELETE);

        private final Intent intent;

        What(Intent intent) {
            this.intent = intent;
        }
    }

    static final int MAX_OPERATIONS = 3;

    private static final long NO_SCAN = -1;
    /** Bytes of the plan, before the operations. */
    private static final int PLAN_BYTES = 7 * Long.BYTES;

    private static final int OPERATION_BYTES = 4 * Long.BYTES;
    /** The operations of a plan, with one on the replicated table. */
    private static final int MAX_PLANNED = MAX_OPERATIONS + 1;

    /** Operations by weight: equally many of the drawn inserts and deletes have an effect, so that about half of the keys exist. */
    private static final What[] WHATS = {
        What.READ,
        What.READ,
        What.READ,
        What.UPDATE,
        What.UPDATE,
        What.LOOK,
        What.INSERT,
        What.INSERT,
        What.INSERT,
        What.DELETE,
        What.DELETE
    };

    /** The count of numbers from which an operation is drawn. */
    static final int CHOICES = WHATS.length;

    /** An operation on a pair makes two accesses. */
    private static final int MAX_ACCESSES = 2 * MAX_PLANNED;

    private final Table hashed;
    private final Table ordered;
    private final Table replicated;
    private final long[] hashedKeys;
    private final int pairedKeys;
    private final int prefixKeys;

    // The plan.
    private final int[] planned = new int[MAX_PLANNED];
    private final Table[] plannedTables = new Table[MAX_PLANNED];
    private final long[] plannedKeys = new long[MAX_PLANNED];
    private final boolean[] isBlind = new boolean[MAX_PLANNED];
    private final boolean[] readsFirst = new boolean[MAX_PLANNED];
    private int operations;
    private int early;
    private Intent scanIntent;
    private long scanFrom;
    private long scanTo;
    private int scanLimit;
    private boolean scanReadsFirst;
    private boolean givesUp;

    // The attempt.
    private final Access[] accesses = new Access[MAX_ACCESSES];
    private final What[] whats = new What[MAX_ACCESSES];
    private final long[] accessNumbers = new long[MAX_ACCESSES];
    /** Whether the access is first declared as a read, or as an update for an insert. {@link #apply} then declares the operation's own intent. */
    private final boolean[] isRead = new boolean[MAX_ACCESSES];

    private int size;
    private int added;

    /**
     * A transaction without operations.
     *
     * @param tables the hashed table, the ordered table, and the replicated table if there is one
     * @param hashedKeys keys of the hashed table, by number; the keys of the other tables are the numbers
     * @param pairedKeys numbers of the hashed table below which an even key and the one behind it are a pair, which comes, changes and
     *     goes together
     * @param prefixKeys as in {@link #orderedKey}
     */
    ChurnTransaction(List<Table> tables, long[] hashedKeys, int pairedKeys, int prefixKeys) {
        this.hashed = tables.get(0);
        this.ordered = tables.get(1);
        this.replicated = tables.size() > 2 ? tables.get(2) : null;
        this.hashedKeys = hashedKeys;
        this.pairedKeys = pairedKeys;
        this.prefixKeys = prefixKeys;
    }

    /**
     * The ordered table's key of a number, in the order of the numbers: the number itself, or one of {@code prefixKeys} keys that share all bytes but
     * the last.
     */
    static long orderedKey(long number, int prefixKeys) {
        return prefixKeys == 0 ? number : ((number / prefixKeys) << Byte.SIZE) | (number % prefixKeys);
    }

    // ---- the plan --------------------------------------------------------------------------------------------------

    void clear() {
        operations = 0;
        early = 0;
        scanIntent = null;
        givesUp = false;
    }

    /**
     * Adds an operation; late ones come after all early ones.
     *
     * @param what 0 to {@link #CHOICES} - 1
     * @param blind whether an update does not read the record
     * @param first whether a write that may read reads the record first, and only then declares the write
     */
    void add(int what, boolean ofOrdered, long key, boolean isLate, boolean blind, boolean first) {
        add(what, ofOrdered ? ordered : hashed, key, isLate, blind, first);
    }

    /** Adds an operation on the replicated table, as {@link #add}; it must be the last operation, and the only one on that table. */
    void addReplicated(int what, long key, boolean isLate, boolean blind, boolean first) {
        add(what, replicated, key, isLate, blind, first);
    }

    private void add(int what, Table table, long key, boolean isLate, boolean blind, boolean first) {
        assert isLate || early == operations;
        planned[operations] = what;
        plannedTables[operations] = table;
        plannedKeys[operations] = key;
        isBlind[operations] = blind;
        readsFirst[operations] = first;
        operations++;
        early += isLate ? 0 : 1;
    }

    /**
     * Adds a scan of the ordered table. If the scan is declared to write, all other operations must be on the other table.
     *
     * @param first whether a scan to read goes on to write some of the records that it read
     */
    void scan(Intent intent, long from, long to, int limit, boolean first) {
        scanIntent = intent;
        scanFrom = from;
        scanTo = to;
        scanLimit = limit;
        scanReadsFirst = first;
    }

    /** Makes the transaction give up at the end. */
    void giveUp() {
        givesUp = true;
    }

    /** Records that the last attempt added, less the records that it removed. */
    int added() {
        return added;
    }

    // ---- the plan for another node ---------------------------------------------------------------------------------

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int argumentBytes() {
        return PLAN_BYTES + MAX_PLANNED * OPERATION_BYTES;
    }

    @Override
    public void putArguments(Memory target, long offset) {
        target.putLong(offset, operations);
        target.putLong(offset + 8, early);
        target.putLong(offset + 16, scanIntent == null ? NO_SCAN : scanIntent.code());
        target.putLong(offset + 24, scanFrom);
        target.putLong(offset + 32, scanTo);
        target.putLong(offset + 40, scanLimit);
        target.putLong(offset + 48, (scanReadsFirst ? 1 : 0) | (givesUp ? 2 : 0));
        long at = offset + PLAN_BYTES;
        for (int i = 0; i < operations; i++) {
            target.putLong(at, planned[i]);
            target.putLong(at + 8, plannedTables[i].id());
            target.putLong(at + 16, plannedKeys[i]);
            target.putLong(at + 24, (isBlind[i] ? 1 : 0) | (readsFirst[i] ? 2 : 0));
            at += OPERATION_BYTES;
        }
    }

    @Override
    public void takeArguments(Memory source, long offset) {
        operations = (int) source.getLong(offset);
        early = (int) source.getLong(offset + 8);
        long intent = source.getLong(offset + 16);
        scanIntent = intent == NO_SCAN ? null : Intent.ofCode((int) intent);
        scanFrom = source.getLong(offset + 24);
        scanTo = source.getLong(offset + 32);
        scanLimit = (int) source.getLong(offset + 40);
        scanReadsFirst = (source.getLong(offset + 48) & 1) != 0;
        givesUp = (source.getLong(offset + 48) & 2) != 0;
        long at = offset + PLAN_BYTES;
        for (int i = 0; i < operations; i++) {
            planned[i] = (int) source.getLong(at);
            plannedTables[i] = table((int) source.getLong(at + 8));
            plannedKeys[i] = source.getLong(at + 16);
            isBlind[i] = (source.getLong(at + 24) & 1) != 0;
            readsFirst[i] = (source.getLong(at + 24) & 2) != 0;
            at += OPERATION_BYTES;
        }
    }

    private Table table(int id) {
        return hashed.id() == id ? hashed : ordered.id() == id ? ordered : replicated;
    }

    // ---- the attempt -----------------------------------------------------------------------------------------------

    @Override
    public void declare(Transaction txn) {
        size = 0;
        added = 0;
        for (int i = 0; i < early; i++) {
            declare(txn, what(i, 0), plannedTables[i], plannedKeys[i], readsFirst[i]);
        }
    }

    @Override
    public void execute(Transaction txn) {
        check(0);
        if (early < operations) {
            long seen = seen();
            int before = size;
            for (int i = early; i < operations; i++) {
                declare(
                        txn,
                        what(i, seen),
                        plannedTables[i],
                        Long.remainderUnsigned(plannedKeys[i] + seen, hashedKeys.length),
                        readsFirst[i]);
            }
            if (size > before) {
                txn.fetch();
                check(before);
            }
        }
        for (int i = 0; i < size; i++) {
            apply(txn, i);
        }
        if (scanIntent != null) {
            scan(txn);
        }
        if (givesUp) {
            txn.abort();
        }
    }

    private What what(int i, long seen) {
        What what = WHATS[(int) Long.remainderUnsigned(planned[i] + seen, CHOICES)];
        return what == What.UPDATE && isBlind[i] ? What.WRITE : what;
    }

    private void declare(Transaction txn, What what, Table table, long key, boolean first) {
        if (has(table, key)) {
            return;
        }
        boolean asRead = first && what != What.WRITE;
        declareOne(txn, what, table, key, asRead);
        if (isPaired(table, key)) {
            declareOne(txn, what, table, key ^ 1, asRead);
        }
    }

    private void declareOne(Transaction txn, What what, Table table, long number, boolean asRead) {
        Intent first = what == What.INSERT ? Intent.UPDATE : Intent.READ;
        accesses[size] = access(txn, asRead ? first : what.intent, table, keyOf(table, number));
        whats[size] = what;
        isRead[size] = asRead;
        accessNumbers[size] = number;
        size++;
    }

    private static Access access(Transaction txn, Intent intent, Table table, long key) {
        return switch (intent) {
            case READ -> txn.read(table, key);
            case UPDATE -> txn.update(table, key);
            case WRITE -> txn.write(table, key);
            case INSERT -> txn.insert(table, key);
            case DELETE -> txn.delete(table, key);
        };
    }

    private long keyOf(Table table, long number) {
        return table == hashed ? hashedKeys[(int) number] : orderedKey(number, prefixKeys);
    }

    private long keyOf(int i) {
        return keyOf(accesses[i].table(), accessNumbers[i]);
    }

    private boolean has(Table table, long number) {
        for (int i = 0; i < size; i++) {
            if (accesses[i].table() == table && accessNumbers[i] == number) {
                return true;
            }
        }
        return false;
    }

    private boolean isPaired(Table table, long key) {
        return table == hashed && key < pairedKeys;
    }

    /** A number that depends on what the early operations have read. */
    private long seen() {
        long seen = 0;
        for (int i = 0; i < size; i++) {
            seen = seen * 31 + (hasRead(i) ? ChurnRecord.tag(accesses[i]) % 7 : 0);
        }
        return seen >>> 1;
    }

    private boolean hasRead(int i) {
        return accesses[i].exists() && whats[i] != What.WRITE;
    }

    private void check(int from) {
        for (int i = from; i < size; i++) {
            Access access = accesses[i];
            long number = accessNumbers[i];
            if (hasRead(i) && !ChurnRecord.isWhole(access, keyOf(i))) {
                throw new IllegalStateException("key " + keyOf(i) + " of table " + access.table()
                        + " has a damaged record or a record of another key");
            }
            if (isPaired(access.table(), number) && (number & 1) == 0) {
                checkPair(access, accesses[partner(i)], number);
            }
        }
    }

    /** The pair's other access: an operation on a pair declares the drawn key first, then the other. */
    private int partner(int i) {
        return i + 1 < size && accesses[i + 1].table() == hashed && accessNumbers[i + 1] == (accessNumbers[i] ^ 1)
                ? i + 1
                : i - 1;
    }

    private static void checkPair(Access even, Access odd, long key) {
        boolean isPair =
                even.exists() == odd.exists() && (!even.exists() || ChurnRecord.tag(even) == ChurnRecord.tag(odd));
        if (!isPair) {
            throw new IllegalStateException("keys " + key + " and " + (key + 1) + " are written together only, but "
                    + (even.exists() == odd.exists() ? "have records of different transactions" : "only one exists"));
        }
    }

    private void apply(Transaction txn, int i) {
        Access access = accesses[i];
        if (isRead[i]) {
            access(txn, whats[i].intent, access.table(), keyOf(i));
        }
        switch (whats[i]) {
            case READ, LOOK -> {}
            case UPDATE, WRITE -> {
                if (access.exists()) {
                    ChurnRecord.write(access, keyOf(i), txn.id());
                }
            }
            case INSERT -> {
                if (!access.exists()) {
                    ChurnRecord.write(access, keyOf(i), txn.id());
                    added++;
                } else if (isRead[i]) {
                    ChurnRecord.write(access, keyOf(i), txn.id());
                }
            }
            case DELETE -> added -= access.exists() ? 1 : 0;
        }
    }

    private void scan(Transaction txn) {
        long from = keyOf(ordered, scanFrom);
        long to = keyOf(ordered, scanTo);
        Scan scan = txn.scan(ordered, from, to, scanLimit, scanIntent);
        for (int i = 0; i < scan.size(); i++) {
            long key = scan.key(i);
            boolean isRight = key >= from
                    && key < to
                    && (i == 0 || scan.key(i - 1) < key)
                    && ChurnRecord.isWhole(scan.access(i), key);
            if (!isRight) {
                throw new IllegalStateException("a scan of " + from + " to " + to + " found key " + key
                        + " out of order, or its record not whole");
            }
        }
        for (int i = 0; i < scan.size(); i++) {
            if (scanIntent == Intent.READ && scanReadsFirst) {
                writeScanned(txn, scan, i);
            } else if (scanIntent == Intent.DELETE) {
                added--;
            } else if (scanIntent == Intent.UPDATE && (i & 1) == 0) {
                ChurnRecord.write(scan.access(i), scan.key(i), txn.id());
            }
        }
    }

    /** Deletes, replaces or leaves a record that was scanned for reading and has no other access, by its place in the scan. */
    private void writeScanned(Transaction txn, Scan scan, int i) {
        if (scan.access(i).intent() != Intent.READ) {
            return;
        }
        if (i % 3 == 0) {
            ChurnRecord.write(txn.update(ordered, scan.key(i)), scan.key(i), txn.id());
        } else if (i % 3 == 1) {
            txn.delete(ordered, scan.key(i));
            added--;
        }
    }
}
