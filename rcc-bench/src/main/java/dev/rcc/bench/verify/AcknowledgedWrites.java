package dev.rcc.bench.verify;

import dev.rcc.core.store.Catalog;
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

/**
 * What clients were told has committed, so that nothing of it is lost when nodes are: at the end each key has the version that was
 * acknowledged last, or a later one. Versions of a key grow under every protocol.
 */
public final class AcknowledgedWrites implements HistoryRecorder {
    private static final int MAX_VIOLATIONS = 20;

    private final HistoryRecorder next;
    private final Map<Key, Write> last = new HashMap<>();
    private long count;

    private record Key(int table, long keyHash) {}

    private record Write(long version, boolean isDelete) {}

    /** Tells {@code next} as well. */
    public AcknowledgedWrites(HistoryRecorder next) {
        this.next = next;
    }

    @Override
    public void logging(Transaction txn, long beginNanos) {
        next.logging(txn, beginNanos);
    }

    @Override
    public synchronized void committed(Transaction txn, long beginNanos, long endNanos) {
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isWrite()) {
                acknowledged(access.table().id(), access.keyHash(), txn.commitTs(), access.intent() == Intent.DELETE);
            }
        }
        next.committed(txn, beginNanos, endNanos);
    }

    /** A write was acknowledged. */
    public synchronized void acknowledged(int table, long keyHash, long version, boolean isDelete) {
        count++;
        last.merge(
                new Key(table, keyHash),
                new Write(version, isDelete),
                (one, other) -> Timestamp.isBefore(one.version(), other.version()) ? other : one);
    }

    /** How many writes were acknowledged. */
    public synchronized long count() {
        return count;
    }

    @Override
    public void aborted(Transaction txn, long beginNanos, long endNanos) {
        next.aborted(txn, beginNanos, endNanos);
    }

    /** What was acknowledged and is not there any more, each a sentence. */
    public synchronized List<String> lost(Catalog catalog, ClusterInspection inspection) {
        Map<Key, Long> found = new HashMap<>();
        for (int id = 0; id < catalog.tables(); id++) {
            Table table = catalog.table(id);
            TupleLayout t = table.layout().tuple();
            inspection.forEachTuple(table, (memory, keyOffset, recordOffset) -> {
                long tuple = keyOffset - t.keyOffset();
                long hash = TablePartition.keyHash(table, memory, tuple);
                found.put(new Key(table.id(), hash), memory.getLong(tuple + t.versionOffset()));
            });
        }
        List<String> lost = new ArrayList<>();
        last.forEach((key, write) -> {
            Long version = found.get(key);
            boolean missing = version == null ? !write.isDelete() : Timestamp.isBefore(version, write.version());
            if (missing && lost.size() < MAX_VIOLATIONS) {
                lost.add("a write of table " + catalog.table(key.table()) + " was acknowledged with the version "
                        + Timestamp.toString(write.version()) + " and is lost: the key has "
                        + (version == null ? "no record" : "the version " + Timestamp.toString(version)));
            }
        });
        return lost;
    }
}
