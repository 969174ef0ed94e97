package dev.rcc.bench.verify;

import dev.rcc.bench.history.ForwardingRecorder;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
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

/**
 * Checks the bytes of records. A history shows which versions were read; this class checks that the contents read under a version are
 * all of the writer's contents. The hash of each record is recorded when it is written. It is compared for each record that a committed
 * transaction has read, and has not changed before it perhaps deleted it, and in the primary copies at the end. Of a record that a transaction
 * has updated, what it read is gone. Nodes of ordered indexes are records, too.
 *
 * <p>Used by the thread of a simulation.
 */
final class RecordContents extends ForwardingRecorder {
    private static final int MAX_VIOLATIONS = 5;

    private final Map<Version, Long> written = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    private record Version(int table, long keyHash, long version) {}

    /** Receives the version and the contents' hash of a tuple. */
    @FunctionalInterface
    private interface TupleConsumer {
        void accept(Table table, Version version, long contents);
    }

    /** Forwards everything to {@code next}, too. */
    RecordContents(HistoryRecorder next) {
        super(next);
    }

    /** Notes the loaded records, before the first transaction. */
    void loaded(ClusterInspection inspection) {
        forEachTuple(inspection, (table, version, contents) -> written.put(version, contents));
    }

    @Override
    public void logging(Transaction txn, long beginNanos) {
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isWrite() && access.intent() != Intent.DELETE) {
                written.put(new Version(access.table().id(), access.keyHash(), txn.commitTs()), contents(txn, access));
            }
        }
        super.logging(txn, beginNanos);
    }

    @Override
    public void committed(Transaction txn, long beginNanos, long endNanos) {
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isFetched() && access.exists() && !access.isBlind() && !access.isModified()) {
                compare(
                        access.table(),
                        new Version(access.table().id(), access.keyHash(), access.version()),
                        contents(txn, access),
                        "a transaction read");
            }
        }
        super.committed(txn, beginNanos, endNanos);
    }

    /** Compares the records at the end. */
    void compareAtRest(ClusterInspection inspection) {
        forEachTuple(
                inspection, (table, version, contents) -> compare(table, version, contents, "at the end there is"));
    }

    /** Whether the record at {@code record} has the contents that the writer of its version wrote. */
    boolean isAsWritten(Table table, long keyHash, long version, Memory memory, long record) {
        Long expected = written.get(new Version(table.id(), keyHash, version));
        return expected != null
                && expected == contents(memory, record, table.layout().tuple().recordBytes());
    }

    /** The violations so far, each a sentence. */
    List<String> violations() {
        return List.copyOf(violations);
    }

    private void compare(Table table, Version version, long contents, String who) {
        Long expected = written.get(version);
        if ((expected == null || expected != contents) && violations.size() < MAX_VIOLATIONS) {
            violations.add(who + " version " + Timestamp.toString(version.version()) + " of a record of table " + table
                    + " (hash of the key " + Long.toHexString(version.keyHash()) + "), "
                    + (expected == null ? "which no transaction wrote" : "and not as it was written"));
        }
    }

    private static void forEachTuple(ClusterInspection inspection, TupleConsumer consumer) {
        inspection.forEachTuple((copy, tuple) -> {
            Table table = copy.table();
            Memory memory = copy.memory();
            TupleLayout t = table.layout().tuple();
            Version version = new Version(table.id(), copy.keyHash(tuple), memory.getLong(tuple + t.versionOffset()));
            consumer.accept(table, version, contents(memory, tuple + t.recordOffset(), t.recordBytes()));
        });
    }

    private static long contents(Transaction txn, Access access) {
        TupleLayout t = access.layout();
        return contents(txn.buffer().memory(), access.imageOffset() + t.recordOffset(), t.recordBytes());
    }

    private static long contents(Memory memory, long record, int bytes) {
        long hash = 0;
        for (int offset = 0; offset < bytes; offset += Memory.WORD_BYTES) {
            hash = KeyHash.mix(hash + memory.getLong(record + offset));
        }
        return hash;
    }
}
