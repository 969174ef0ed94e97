package dev.rcc.bench.verify.clients;

import dev.rcc.bench.history.ForwardingRecorder;
import dev.rcc.client.wire.CommitId;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.server.ClusterInspection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The reads and writes of clients' records by transactions, as their coordinators recorded them, by the commits in whose name they wrote. */
final class AppliedCommits extends ForwardingRecorder {
    /** A key of a table. */
    record RecordKey(int table, long key) {}

    /** A version of a record. */
    record Version(RecordKey key, long version) {}

    /** The keys from {@code low} to {@code high} of the ordered table that have records, as a transaction has seen its index at its end. */
    record SeenKeys(long low, long high, Set<Long> keys) {}

    /** A transaction's write to a key. */
    record Write(RecordKey key, long keyHash, boolean isDelete) {}

    /** The outcome of an attempt. */
    enum End {
        /** The attempt has taken effect. */
        COMMITTED,
        /** The attempt has not taken effect. */
        ABORTED,
        /** The attempt has begun to log, and its coordinator died, or did not know the outcome. */
        IN_DOUBT
    }

    /** An attempt that began to log, or committed without a log entry. */
    static final class Applied {
        private final long commitTs;
        private final int attempt;
        /** By key: the version read, 0 if there was no record. */
        private final Map<RecordKey, Long> reads = new HashMap<>();

        private final List<SeenKeys> seen = new ArrayList<>();
        private final List<Write> writes = new ArrayList<>();
        private End end = End.IN_DOUBT;

        Applied(long commitTs, int attempt) {
            this.commitTs = commitTs;
            this.attempt = attempt;
        }

        /** Whether attempts before this one have failed. */
        boolean isAgain() {
            return attempt > 0;
        }

        Map<RecordKey, Long> reads() {
            return reads;
        }

        /** The parts of the ordered index that it has seen. */
        List<SeenKeys> seen() {
            return seen;
        }

        List<Write> writes() {
            return writes;
        }

        long commitTs() {
            return commitTs;
        }
    }

    private final Map<Version, ClientRecord> written = new HashMap<>();
    private final Map<CommitId, List<Applied>> byCommit = new HashMap<>();
    /** The attempts that have begun to log, by transaction id. */
    private final Map<Long, Applied> logging = new HashMap<>();
    /** The versions that committed transactions have read, and the versions at the end. */
    private final Set<Version> observed = new HashSet<>();

    private Applied last;

    AppliedCommits(HistoryRecorder next) {
        super(next);
    }

    /** Notes the loaded records, before the first transaction. */
    void loaded(ClusterInspection inspection) {
        forEachRecord(inspection, written::put);
    }

    /** Notes the records at the end. */
    void atRest(ClusterInspection inspection) {
        forEachRecord(inspection, (version, record) -> observed.add(version));
    }

    @FunctionalInterface
    private interface RecordConsumer {
        void accept(Version version, ClientRecord record);
    }

    private static void forEachRecord(ClusterInspection inspection, RecordConsumer consumer) {
        inspection.forEachTuple((copy, tuple) -> {
            Table table = copy.table();
            Memory memory = copy.memory();
            TupleLayout t = table.layout().tuple();
            if (table.id() < ClientTables.USER_TABLES) {
                consumer.accept(
                        new Version(
                                new RecordKey(table.id(), memory.getLong(tuple + t.keyOffset())),
                                memory.getLong(tuple + t.versionOffset())),
                        ClientRecord.read(memory, tuple + t.recordOffset()));
            }
        });
    }

    @Override
    public void logging(Transaction txn, long beginNanos) {
        Applied applied = snapshot(txn);
        CommitId writer = CommitId.NONE;
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (isOfClients(access) && access.isWrite()) {
                RecordKey key = key(access);
                applied.writes.add(new Write(key, access.keyHash(), access.intent() == Intent.DELETE));
                if (access.intent() != Intent.DELETE) {
                    ClientRecord record = ClientRecord.read(
                            txn.buffer().memory(),
                            access.imageOffset() + access.layout().recordOffset());
                    written.put(new Version(key, txn.commitTs()), record);
                    writer = record.writer();
                }
            }
        }
        if (!applied.writes.isEmpty()) {
            byCommit.computeIfAbsent(writer, none -> new ArrayList<>()).add(applied);
        }
        logging.put(txn.id(), applied);
        super.logging(txn, beginNanos);
    }

    @Override
    public void committed(Transaction txn, long beginNanos, long endNanos) {
        Applied logged = logging.remove(txn.id());
        last = logged == null ? snapshot(txn) : logged;
        last.end = End.COMMITTED;
        last.reads.forEach((key, version) -> observed.add(new Version(key, version)));
        super.committed(txn, beginNanos, endNanos);
    }

    @Override
    public void attemptAborted(Transaction txn) {
        Applied logged = logging.remove(txn.id());
        if (logged != null) {
            logged.end = End.ABORTED;
        }
        super.attemptAborted(txn);
    }

    private static Applied snapshot(Transaction txn) {
        Applied applied = new Applied(txn.commitTs(), txn.attempt());
        Table ordered = txn.catalog().table(ClientTables.ORDERED);
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            boolean observes = access.isFetched() && !(access.isBlind() && access.exists());
            if (isOfClients(access) && observes) {
                applied.reads.putIfAbsent(key(access), access.exists() ? access.version() : 0);
            }
            if (access.table() == ordered.indexNodes() && access.isFetched() && (access.exists() || access.isWrite())) {
                long node = access.imageOffset() + access.layout().recordOffset();
                addLeaf(txn.buffer().memory(), node, ordered.indexNodeLayout(), applied.seen);
            }
        }
        return applied;
    }

    private static void addLeaf(Memory memory, long node, IndexNodeLayout layout, List<SeenKeys> seen) {
        if (memory.getLong(node + IndexNodeLayout.LEVEL_OFFSET) != IndexNodeLayout.LEAF_LEVEL) {
            return;
        }
        Set<Long> keys = new HashSet<>();
        for (int i = 0; i < IndexNodeLayout.count(memory.getLong(node + IndexNodeLayout.COUNT_OFFSET)); i++) {
            keys.add(memory.getLong(node + layout.keyOffset(IndexNodeLayout.LEAF_LEVEL, i)));
        }
        seen.add(new SeenKeys(
                memory.getLong(node + IndexNodeLayout.LOW_OFFSET), memory.getLong(node + layout.highOffset()), keys));
    }

    private static boolean isOfClients(Access access) {
        return access.table().id() < ClientTables.USER_TABLES;
    }

    private static RecordKey key(Access access) {
        return new RecordKey(access.table().id(), access.longKey());
    }

    /** The transaction that committed last. */
    Applied last() {
        return last;
    }

    /** The record under a version; null under version 0, where there was none. */
    ClientRecord read(RecordKey key, long version) {
        return written.get(new Version(key, version));
    }

    /** The attempts in a commit's name that were not aborted. */
    List<Applied> of(CommitId id) {
        return byCommit.getOrDefault(id, List.of()).stream()
                .filter(applied -> applied.end != End.ABORTED)
                .toList();
    }

    /** Whether an attempt is known to have taken effect: its coordinator committed it, or its writes were observed. */
    boolean hasTakenEffect(Applied applied) {
        return applied.end == End.COMMITTED
                || applied.writes.stream()
                        .anyMatch(write -> observed.contains(new Version(write.key(), applied.commitTs)));
    }
}
