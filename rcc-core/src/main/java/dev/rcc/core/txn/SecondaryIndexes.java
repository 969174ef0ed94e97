package dev.rcc.core.txn;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.KeySlot;
import dev.rcc.core.store.SecondaryLayout;
import dev.rcc.core.store.Table;
import java.util.Arrays;
import java.util.List;

/**
 * The secondary indexes of tables as one transaction reads and changes them. An entry is a record like any other, of an ordered table, so every
 * protocol maintains indexes with its rules for records ({@link OrderedIndex}).
 *
 * <p>Entries are changed once, when the procedure is done and its records are final. Until then the transaction finds entries as they were before it,
 * and {@link #find} adds the transaction's own changes of the records.
 */
final class SecondaryIndexes {
    private final Transaction txn;
    private final Memory memory;
    private final OrderedIndex ordered;
    private boolean concerned;

    // The changes of entries.
    private Access[] removed = {};
    private int removedCount;
    private Access[] added = {};
    private Access[] addedFor = {};
    private int addedCount;

    // The entries that a find has come upon, in its order.
    private final Entries entries = new Entries();

    SecondaryIndexes(Transaction txn, OrderedIndex ordered) {
        this.txn = txn;
        this.memory = txn.buffer().memory();
        this.ordered = ordered;
    }

    /** The procedure runs from the start. */
    void restart() {
        concerned = false;
    }

    /** The transaction accesses a table that has indexes. */
    void concerns() {
        concerned = true;
    }

    // ---- changes ---------------------------------------------------------------------------------------------------

    /** Changes the entries of all records that the transaction has changed. */
    void complete() {
        if (!concerned || !mayWrite()) {
            return;
        }
        fetchAll(); // a deleted record determines its entry
        removedCount = 0;
        addedCount = 0;
        int size = txn.size();
        for (int i = 0; i < size; i++) {
            if (isChanged(txn.access(i)) && txn.access(i).intent() != Intent.INSERT) {
                removeOf(txn.access(i));
            }
        }
        for (int i = 0; i < size; i++) {
            if (isChanged(txn.access(i)) && txn.access(i).intent() != Intent.DELETE) {
                addOf(txn.access(i));
            }
        }
        txn.fetch();
        for (int i = 0; i < addedCount; i++) {
            fill(added[i], addedFor[i]);
        }
        for (int i = 0; i < removedCount; i++) {
            if (removed[i] != null) {
                ordered.check(removed[i].exists());
                removed[i].upgrade(Intent.DELETE);
                ordered.changing(removed[i]);
            }
        }
    }

    private void fetchAll() {
        txn.fetch();
        for (int i = 0; i < txn.size(); i++) {
            txn.access(i).giveWay();
        }
    }

    private boolean mayWrite() {
        for (int i = 0; i < txn.size(); i++) {
            if (txn.access(i).table().isIndexed() && txn.access(i).intent() != Intent.READ) {
                return true;
            }
        }
        return false;
    }

    private static boolean isChanged(Access access) {
        return access.table().isIndexed() && access.isWrite();
    }

    private void removeOf(Access access) {
        List<Table> indexes = access.table().indexes();
        for (int i = 0; i < indexes.size(); i++) {
            Table index = indexes.get(i);
            if (hasAnotherEntry(index, access)) {
                remove(index, identity(index, access, access.indexedRecord()));
            }
        }
    }

    /** Whether a record that the transaction has changed does not keep its entry. */
    private boolean hasAnotherEntry(Table index, Access access) {
        if (access.intent() != Intent.UPDATE) {
            return true;
        }
        long before = identity(index, access, access.indexedRecord());
        long now = identity(index, access, access.recordOffset());
        boolean same =
                memory.equalWords(before, memory, now, index.secondaryLayout().identityBytes());
        txn.buffer().giveBack(before);
        return !same;
    }

    /** Declares an entry so that it can be deleted or, if another record is to have it, updated. */
    private void remove(Table index, long identity) {
        Access entry = txn.findIdentity(index, identity);
        if (entry == null) {
            entry = txn.accessIdentity(index, Intent.UPDATE, identity);
            entry.extend(Intent.DELETE);
            ordered.changing(entry);
        }
        if (removedCount == removed.length) {
            removed = Arrays.copyOf(removed, Math.max(16, 2 * removedCount));
        }
        removed[removedCount++] = entry;
    }

    private void addOf(Access access) {
        List<Table> indexes = access.table().indexes();
        for (int i = 0; i < indexes.size(); i++) {
            Table index = indexes.get(i);
            if (hasAnotherEntry(index, access)) {
                add(index, identity(index, access, access.recordOffset()), access);
            }
        }
    }

    private void add(Table index, long identity, Access access) {
        Access entry = txn.findIdentity(index, identity);
        if (entry == null) {
            entry = ordered.changing(txn.accessIdentity(index, Intent.INSERT, identity));
        } else if (!takeOver(entry)) {
            boolean isTaken =
                    entry.intent() == Intent.INSERT || !entry.isFetched(); // by another record of the transaction
            if (isTaken || entry.exists()) {
                refuse(index);
            }
            ordered.changing(txn.accessIdentity(index, Intent.INSERT, identity)); // it was looked up, and is missing
        }
        if (addedCount == added.length) {
            added = Arrays.copyOf(added, Math.max(16, 2 * addedCount));
            addedFor = Arrays.copyOf(addedFor, added.length);
        }
        added[addedCount] = entry;
        addedFor[addedCount++] = access;
    }

    /** Whether the transaction removes the entry of another record: then the entry stays, and becomes this record's. */
    private boolean takeOver(Access entry) {
        for (int i = 0; i < removedCount; i++) {
            if (removed[i] == entry) {
                removed[i] = null;
                return true;
            }
        }
        return false;
    }

    private void fill(Access entry, Access access) {
        if (entry.intent() == Intent.INSERT) {
            if (entry.exists()) {
                refuse(entry.table());
            }
        } else {
            ordered.check(entry.exists());
            entry.upgrade(Intent.UPDATE);
        }
        entry.table().secondaryLayout().putRecord(memory, access.identityOffset(), memory, entry.writableRecord());
    }

    /**
     * The entry exists already. In an index that is not unique, each record has its own entry, so the attempt's reads are inconsistent: it ends with
     * a conflict.
     */
    private void refuse(Table index) {
        if (index.secondaryLayout().isUnique()) {
            txn.abortAsDuplicate(index);
            throw Rollback.INSTANCE;
        }
        ordered.conflict();
    }

    /** Allocates the identity of the entry that an access has with the record at {@code record}. */
    private long identity(Table index, Access access, long record) {
        SecondaryLayout layout = index.secondaryLayout();
        long identity = txn.buffer().allocate(layout.identityBytes());
        layout.putIdentity(memory, access.identityOffset(), memory, record, memory, identity);
        return identity;
    }

    // ---- finds -----------------------------------------------------------------------------------------------------

    /** Finds the records whose entries are in the range of a scan of the index that has just begun. */
    Scan find(Scan scan, int limit) {
        boolean isNone = keys(scan).compare(memory, scan.fromSlot(), memory, scan.lastSlot()) > 0;
        if (concerned) {
            fetchAll();
        }
        entries.begin(scan);
        int changed = isNone ? 0 : entries.addChanged();
        int most = limit == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, (long) limit + changed);
        ordered.walk(scan, most, entries);
        entries.resolve();
        entries.declare(limit);
        txn.fetch();
        entries.check();
        if (limit > 0 && scan.size() == limit) {
            scan.endsWith(entries.slot(limit - 1));
        }
        return scan;
    }

    private static KeySlot keys(Scan scan) {
        return scan.table().indexNodeLayout().keys();
    }

    /** The entries that a find has come upon: of the index as the transaction has found it, and of records that the transaction has changed. */
    private final class Entries implements OrderedIndex.Finder {
        private Scan scan;
        private Table index;
        private Table base;
        private SecondaryLayout layout;
        /** The slots of the entries' keys. */
        private long[] slots = {};
        /**
         * For an entry, its access if its key does not contain the record's key, otherwise null; for a record that the transaction has changed, the
         * record's access.
         */
        private Access[] accesses = {};

        private boolean[] isChanged = {};
        private int size;
        /** The number of entries of changed records; these come first until all entries are put in order. */
        private int changed;

        void begin(Scan newScan) {
            scan = newScan;
            index = newScan.table();
            base = index.base();
            layout = index.secondaryLayout();
            size = 0;
            changed = 0;
        }

        long slot(int i) {
            return slots[i];
        }

        /**
         * Adds the records that the transaction has changed and whose entries will be in the range.
         *
         * @return how many entries of the index may be of records that the transaction has changed
         */
        int addChanged() {
            int writes = 0;
            for (int i = 0, end = concerned ? txn.size() : 0; i < end; i++) {
                Access access = txn.access(i);
                if (access.table() != base || !access.isWrite()) {
                    continue;
                }
                writes++;
                if (access.intent() != Intent.DELETE) {
                    long slot = identity(index, access, access.recordOffset());
                    if (compare(scan.fromSlot(), slot) <= 0 && compare(slot, scan.lastSlot()) <= 0) {
                        add(slot, access, true);
                    } else {
                        txn.buffer().giveBack(slot);
                    }
                }
            }
            changed = size;
            return writes;
        }

        @Override
        public void find(long key) {
            add(key, layout.isUnique() ? entry(key) : null, false);
        }

        private Access entry(long key) {
            Access entry = ordered.record(index, key, Intent.READ);
            if (scan.intent() == Intent.DELETE && !entry.isFetched()) {
                entry.extend(Intent.DELETE); // deleted with its record
            }
            return entry;
        }

        private void add(long slot, Access access, boolean isOfChanged) {
            if (size == slots.length) {
                int length = Math.max(16, 2 * size);
                slots = Arrays.copyOf(slots, length);
                accesses = Arrays.copyOf(accesses, length);
                isChanged = Arrays.copyOf(isChanged, length);
            }
            slots[size] = slot;
            accesses[size] = access;
            isChanged[size++] = isOfChanged;
        }

        /** Drops the index's entries of changed records, and puts the entries that these records will have in order among the rest. */
        void resolve() {
            if (layout.isUnique() && size > changed) {
                txn.fetch();
            }
            if (!concerned) {
                return;
            }
            int kept = changed;
            for (int i = changed; i < size; i++) {
                if (!isOfChanged(i)) {
                    slots[kept] = slots[i];
                    accesses[kept] = accesses[i];
                    isChanged[kept++] = false;
                }
            }
            size = kept;
            for (int i = changed - 1; i >= 0; i--) {
                sink(i);
            }
        }

        private boolean isOfChanged(int i) {
            long identity = txn.buffer().allocate(layout.baseIdentityBytes());
            putBase(i, identity);
            Access access = txn.findIdentity(base, identity);
            txn.buffer().giveBack(identity);
            return access != null && access.isWrite();
        }

        /** Moves an entry towards the end, to its place; the entries behind it are in order. */
        private void sink(int from) {
            for (int i = from; i + 1 < size && isBehind(i, i + 1); i++) {
                long slot = slots[i];
                Access access = accesses[i];
                boolean ofChanged = isChanged[i];
                slots[i] = slots[i + 1];
                accesses[i] = accesses[i + 1];
                isChanged[i] = isChanged[i + 1];
                slots[i + 1] = slot;
                accesses[i + 1] = access;
                isChanged[i + 1] = ofChanged;
            }
        }

        private boolean isBehind(int i, int j) {
            int order = compare(slots[i], slots[j]);
            return scan.descends() ? order < 0 : order > 0;
        }

        /** Declares the records of the first {@code limit} entries, with the scan's intent. */
        void declare(int limit) {
            size = Math.min(size, limit);
            for (int i = 0; i < size; i++) {
                scan.add(isChanged[i] ? own(accesses[i]) : record(i));
            }
        }

        private Access own(Access access) {
            if (!OrderedIndex.isOwn(access, scan.intent())) {
                access.upgrade(scan.intent());
            }
            return scan.intent() == Intent.DELETE ? ordered.changing(access) : access;
        }

        private Access record(int i) {
            long identity = txn.buffer().allocate(layout.baseIdentityBytes());
            putBase(i, identity);
            Access known = txn.findIdentity(base, identity);
            if (OrderedIndex.isOwn(known, scan.intent())) {
                txn.buffer().giveBack(identity);
                return known;
            }
            Access access = txn.accessIdentity(base, scan.intent(), identity);
            return scan.intent() == Intent.DELETE ? ordered.changing(access) : access;
        }

        private void putBase(int i, long identity) {
            Access entry = accesses[i];
            ordered.check(
                    entry == null
                            ? layout.putBaseOfKey(memory, slots[i], memory, identity)
                            : entry.exists() && layout.putBaseOfRecord(memory, entry.recordOffset(), memory, identity));
        }

        /** Checks, once all records have been fetched, that the records that the transaction has not changed fit their entries. */
        void check() {
            for (int i = 0; i < size; i++) {
                Access access = scan.access(i);
                if (!isChanged[i]) {
                    ordered.check(access.exists());
                    long slot = identity(index, access, access.recordOffset());
                    ordered.check(compare(slot, slots[i]) == 0);
                    txn.buffer().giveBack(slot);
                }
            }
        }

        private int compare(long a, long b) {
            return index.indexNodeLayout().keys().compare(memory, a, memory, b);
        }
    }
}
