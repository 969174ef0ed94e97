package dev.rcc.bench.verify;

import dev.rcc.bench.history.ForwardingRecorder;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.server.ClusterInspection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Checks that each record keeps the old versions that it should, if the protocol keeps any: the latest ones since the key was inserted,
 * as many as there is room for, and unchanged. A history alone does not show a missing old version: its readers abort.
 *
 * <p>Used by the thread of a simulation, for clusters that lose no node: only the primary keeps old versions.
 */
final class OldVersions extends ForwardingRecorder {
    private static final int MAX_VIOLATIONS = 5;

    private final Protocol protocol;
    private final RecordContents contents;
    /** By key: all versions that committed, and whether each was a delete. */
    private final Map<Key, NavigableMap<Long, Boolean>> writes = new HashMap<>();

    private record Key(int table, long keyHash) {}

    /** Forwards everything to {@code next}, too; {@code contents} has the contents that were written. */
    OldVersions(Protocol protocol, HistoryRecorder next, RecordContents contents) {
        super(next);
        this.protocol = protocol;
        this.contents = contents;
    }

    @Override
    public void committed(Transaction txn, long beginNanos, long endNanos) {
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isWrite() && isKept(access.layout())) {
                writes(access.table(), access.keyHash()).put(txn.commitTs(), access.intent() == Intent.DELETE);
            }
        }
        super.committed(txn, beginNanos, endNanos);
    }

    /** Notes the loaded records, before the first transaction. */
    void loaded(ClusterInspection inspection) {
        inspection.forEachTuple((copy, tuple) -> {
            if (isKept(copy.table().layout().tuple())) {
                writes(copy.table(), copy.keyHash(tuple)).put(version(copy, tuple), false);
            }
        });
    }

    /** Compares the old versions at the end; returns the violations, each a sentence. */
    List<String> compareAtRest(ClusterInspection inspection) {
        List<String> violations = new ArrayList<>();
        inspection.forEachTuple((copy, tuple) -> {
            if (isKept(copy.table().layout().tuple()) && violations.size() < MAX_VIOLATIONS) {
                compare(copy, tuple, violations);
            }
        });
        return violations;
    }

    private static boolean isKept(TupleLayout layout) {
        return layout.historySlots() > 0;
    }

    private void compare(TablePartition copy, long tuple, List<String> violations) {
        Table table = copy.table();
        Memory memory = copy.memory();
        TupleLayout t = table.layout().tuple();
        long keyHash = copy.keyHash(tuple);
        String whose = " of a record of table " + table + " (hash of the key " + Long.toHexString(keyHash) + ")";
        List<Long> expected = expected(table, keyHash, version(copy, tuple));
        List<Long> found = new ArrayList<>();
        for (int slot = 0; slot < t.historySlots(); slot++) {
            long version = memory.getLong(tuple + protocol.historyVersionOffset(slot));
            if (version == Timestamp.NONE) {
                continue;
            }
            found.add(version);
            if (!contents.isAsWritten(table, keyHash, version, memory, tuple + t.historyRecordOffset(slot))) {
                violations.add("the old version " + Timestamp.toString(version) + whose + " is not as it was written");
            }
        }
        found.sort(Long::compareUnsigned);
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
        return writes.computeIfAbsent(new Key(table.id(), keyHash), none -> new TreeMap<>(Long::compareUnsigned));
    }

    private static String describe(List<Long> versions) {
        return versions.stream().map(Timestamp::toString).collect(Collectors.joining(", ", "[", "]"));
    }

    private static long version(TablePartition copy, long tuple) {
        return copy.memory().getLong(tuple + copy.table().layout().tuple().versionOffset());
    }
}
