package dev.rcc.it.history;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.Table;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.it.history.History.Committed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Collects the history of a cluster, from all its workers. Which keys exist is what the leaves of the index say: whoever
 * finds no record has read the key's leaf, whoever inserts or deletes has read and written it. So phantoms are conflicts
 * like any other.
 */
public final class HistoryCollector implements HistoryRecorder {
    private final ConcurrentLinkedQueue<Committed> transactions = new ConcurrentLinkedQueue<>();

    @Override
    public void committed(Transaction txn, long beginNanos, long endNanos) {
        Committed committed =
                new Committed("T" + Timestamp.toString(txn.id()), new LinkedHashMap<>(), new LinkedHashMap<>());
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isFetched()) {
                add(access, txn.commitTs(), committed.reads(), committed.writes());
            }
        }
        transactions.add(committed);
    }

    /** What has committed so far. */
    public History history() {
        return new History(new ArrayList<>(transactions));
    }

    private static void add(Access access, long commitTs, Map<String, Long> reads, Map<String, Long> writes) {
        if (access.exists()) {
            reads.put(record(access), access.version());
        }
        if (access.isWrite()) {
            writes.put(record(access), commitTs);
        }
        boolean addsOrRemoves = access.isWrite() && access.intent() != Intent.UPDATE;
        if (!access.exists() || addsOrRemoves) {
            reads.put(leaf(access), access.leafVersion());
        }
        if (addsOrRemoves) {
            writes.put(leaf(access), commitTs);
        }
    }

    private static String record(Access access) {
        return access.table() + "#" + Long.toHexString(access.keyHash());
    }

    private static String leaf(Access access) {
        Table table = access.table();
        long offset = table.layout().leafOffset(access.keyHash());
        return "leaf of " + table + " at "
                + RemoteAddress.toString(table.address(access.node(), access.partition(), offset));
    }
}
