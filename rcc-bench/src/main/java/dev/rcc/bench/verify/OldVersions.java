package dev.rcc.bench.verify;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.mvcc.MvccLayout;
import dev.rcc.server.ClusterInspection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Whether each record keeps the older ones that it should, where a protocol keeps any: as many of the latest as there is room for, since
 * the key was inserted, and as they were written. A history alone does not show one that is missing: its readers abort.
 *
 * <p>Used by the thread of a simulation, for clusters that lose no node: a history is the primary's alone.
 */
final class OldVersions implements HistoryRecorder {
    private static final int MAX_VIOLATIONS = 5;

    private final HistoryRecorder next;
    private final RecordContents contents;
    /** By key: all that committed, and whether that was a delete. */
    private final Map<Key, NavigableMap<Long, Boolean>> writes = new HashMap<>();

    private record Key(int table, long keyHash) {}

    /** Tells {@code next} as well; {@code contents} knows what was written. */
    OldVersions(HistoryRecorder next, RecordContents contents) {
        this.next = next;
        this.contents = contents;
    }

    @Override
    public void logging(Transaction txn, long beginNanos) {
        next.logging(txn, beginNanos);
    }

    @Override
    public void committed(Transaction txn, long beginNanos, long endNanos) {
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isWrite() && access.layout().historySlots() > 0) {
                writes(access.table(), access.keyHash()).put(txn.commitTs(), access.intent() == Intent.DELETE);
            }
        }
        next.committed(txn, beginNanos, endNanos);
    }

    @Override
    public void aborted(Transaction txn, long beginNanos, long endNanos) {
        next.aborted(txn, beginNanos, endNanos);
    }

    @Override
    public void attemptAborted(Transaction txn) {
        next.attemptAborted(txn);
    }

    /** Notes what was loaded, before the first transaction. */
    void loaded(Catalog catalog, ClusterInspection inspection) {
        forEachTuple(
                catalog,
                inspection,
                (table, memory, tuple) -> writes(table, TablePartition.keyHash(table, memory, tuple))
                        .put(version(table, memory, tuple), false));
    }

    /** Compares what is there at the end, and says what is wrong, each a sentence. */
    List<String> compareAtRest(Catalog catalog, ClusterInspection inspection) {
        List<String> violations = new ArrayList<>();
        forEachTuple(catalog, inspection, (table, memory, tuple) -> {
            if (violations.size() < MAX_VIOLATIONS) {
                compare(table, memory, tuple, violations);
            }
        });
        return violations;
    }

    private void compare(Table table, Memory memory, long tuple, List<String> violations) {
        TupleLayout t = table.layout().tuple();
        long keyHash = TablePartition.keyHash(table, memory, tuple);
        String whose = " of a record of table " + table + " (hash of the key " + Long.toHexString(keyHash) + ")";
        List<Long> expected = expected(table, keyHash, version(table, memory, tuple));
        List<Long> found = new ArrayList<>();
        for (int slot = 0; slot < t.historySlots(); slot++) {
            long version = memory.getLong(tuple + MvccLayout.wtsOffset(slot));
            if (version == Timestamp.NONE) {
                continue;
            }
            found.add(version);
            if (!contents.isAsWritten(table, keyHash, version, memory, tuple + t.historyRecordOffset(slot))) {
                violations.add("the old version " + Timestamp.toString(version) + whose + " is not as it was written");
            }
        }
        found.sort(OldVersions::compare);
        if (!found.equals(expected)) {
            violations.add("the old versions" + whose + " are " + describe(found) + " and not the latest, "
                    + describe(expected));
        }
    }

    private List<Long> expected(Table table, long keyHash, long current) {
        List<Long> since = new ArrayList<>();
        writes(table, keyHash).headMap(current).forEach((version, isDelete) -> {
            if (isDelete) {
                since.clear();
            } else {
                since.add(version);
            }
        });
        int slots = table.layout().tuple().historySlots();
        return since.subList(Math.max(0, since.size() - slots), since.size());
    }

    private NavigableMap<Long, Boolean> writes(Table table, long keyHash) {
        return writes.computeIfAbsent(new Key(table.id(), keyHash), none -> new TreeMap<>(OldVersions::compare));
    }

    private static int compare(long a, long b) {
        return a == b ? 0 : Timestamp.isBefore(a, b) ? -1 : 1;
    }

    private static String describe(List<Long> versions) {
        return versions.stream().map(Timestamp::toString).collect(Collectors.joining(", ", "[", "]"));
    }

    private static long version(Table table, Memory memory, long tuple) {
        return memory.getLong(tuple + table.layout().tuple().versionOffset());
    }

    /** A tuple where it lies. */
    @FunctionalInterface
    private interface TupleConsumer {
        void accept(Table table, Memory memory, long tuple);
    }

    private static void forEachTuple(Catalog catalog, ClusterInspection inspection, TupleConsumer consumer) {
        for (int id = 0; id < catalog.tables(); id++) {
            Table table = catalog.table(id);
            TupleLayout t = table.layout().tuple();
            if (t.historySlots() > 0) {
                inspection.forEachTuple(
                        table, (memory, key, record) -> consumer.accept(table, memory, key - t.keyOffset()));
            }
        }
    }
}
