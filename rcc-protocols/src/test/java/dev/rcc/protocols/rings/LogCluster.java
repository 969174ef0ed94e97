package dev.rcc.protocols.rings;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.log.LogEntry;
import dev.rcc.core.log.ReplicaWriter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.TestTransactions;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Three nodes of two workers without network, locks or protocol. Transactions run one after the other on the primaries. They are logged, decided,
 * announced and replayed when the test calls for it.
 */
final class LogCluster {
    static final int NODES = 3;
    static final int WORKERS = 2;
    static final int WRITERS = NODES * WORKERS;

    final Catalog catalog = new Catalog(
            new RingPlacement(NODES, NODES),
            8,
            List.of(TableSchema.ofLongKeys(0, "numbers", 16, 30), TableSchema.ofByteKeys(1, "names", 12, 5, 30)));
    final LogRingLayout layout;
    final Memstore[] memstores = new Memstore[NODES];
    final Memory[] logs = new Memory[NODES];
    final LogRings[][] rings = new LogRings[NODES][WORKERS];
    final LogTails[] tails = new LogTails[WRITERS];
    final Transaction[] transactions = new Transaction[WRITERS];
    final List<Logged> undecided = new ArrayList<>();

    /** Slots that a delete has freed since the backups were last level, with the leaf of the deleted key. */
    final Map<Long, Long> freed = new HashMap<>();

    private final long[] buckets = new long[TableLayout.CHOICES];
    private long lastCommitTs;

    LogCluster(int ringBytes) {
        layout = new LogRingLayout(NODES, WORKERS, ringBytes);
        for (int node = 0; node < NODES; node++) {
            memstores[node] = new Memstore(catalog, new FakeFabric(node));
            logs[node] = Memory.allocate(Arena.ofAuto(), layout.regionBytes());
            for (int worker = 0; worker < WORKERS; worker++) {
                rings[node][worker] = reader(node, worker);
                int writer = node * WORKERS + worker;
                tails[writer] = new LogTails(layout, NODES, node, worker, 8);
                transactions[writer] = TestTransactions.create(new FakeWorker(node), worker, catalog, 1 << 14);
            }
        }
    }

    /** A new reader of a node's rings, from their start. */
    LogRings reader(int node, int worker) {
        return new LogRings(logs[node], layout, worker, new ReplicaWriter(memstores[node], node));
    }

    /** An undecided entry on one backup. */
    record Logged(LogTail tail, long ticket, long position) {}

    Transaction begin(int writer) {
        transactions[writer].begin(true);
        return transactions[writer];
    }

    /** Fetches an access from its primary, as a protocol would under locks. */
    void fetch(Access access) {
        Memory buffers = transactions[0].buffer().memory();
        for (Transaction txn : transactions) {
            if (access.index() < txn.size() && txn.access(access.index()) == access) {
                buffers = txn.buffer().memory();
            }
        }
        TablePartition primary = primary(access);
        TableLayout table = access.table().layout();
        long tuple = primary.lookup(access.keyHash(), buffers, access.identityOffset());
        if (tuple >= 0) {
            primary.memory()
                    .copy(tuple, buffers, access.imageOffset(), access.layout().tupleBytes());
            access.foundTuple();
        } else {
            access.foundNothing();
            if (access.intent() == Intent.INSERT) {
                tuple = table.tupleOfEntry(primary.reserve(access.keyHash(), buckets));
                access.slotVersion(
                        primary.memory().getLong(tuple + access.layout().versionOffset()));
            }
        }
        if (access.intent() == Intent.INSERT || access.intent() == Intent.DELETE) {
            access.leafVersion(primary.memory().getLong(leaf(access) + table.leafVersionOffset()));
        }
        if (tuple >= 0) {
            access.tupleAddress(access.table().address(access.node(), access.partition(), tuple));
        }
    }

    /** Whether an insert takes a slot whose last tuple had another leaf, and some backups have not replayed the delete. */
    boolean takesAForeignSlot(Transaction txn) {
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            Long leaf = freed.get(access.tupleAddress());
            if (access.intent() == Intent.INSERT && leaf != null && leaf != leaf(access)) {
                return true;
            }
        }
        return false;
    }

    /** Logs a transaction to the backups of its writes. */
    List<Logged> log(int writer, Transaction txn) {
        lastCommitTs = Math.max(lastCommitTs + 1, txn.id());
        txn.commitTs(lastCommitTs);
        int length = LogEntry.bytes(txn);
        long offset = txn.buffer().allocate(length);
        LogEntry.encode(txn, offset, length);
        List<Logged> logged = new ArrayList<>();
        for (int backup = 0; backup < NODES; backup++) {
            if (concerns(txn, backup)) {
                LogTail tail = tails[writer].tail(backup);
                if (!tail.hasRoom(length)) {
                    level();
                }
                logged.add(append(tail, txn.buffer().memory(), offset, length));
            }
        }
        undecided.addAll(logged);
        return logged;
    }

    private Logged append(LogTail tail, Memory buffers, long offset, int length) {
        Memory log = logs[tail.backup()];
        long ticket = tail.reserve(length);
        long position = tail.position(length);
        if (tail.paddingPosition() != LogTail.NO_PADDING) {
            long padding = layout.entryOffset(tail.ring(), tail.paddingPosition());
            log.putLong(
                    padding + LogEntry.KIND_OFFSET,
                    LogEntry.kindAndLength(LogEntry.PADDING, tail.paddingBytes(length)));
            log.putRelease(padding, LogEntry.stamp(tail.paddingPosition()));
        }
        long entry = layout.entryOffset(tail.ring(), position);
        buffers.copy(offset + LogEntry.KIND_OFFSET, log, entry + LogEntry.KIND_OFFSET, length - LogEntry.KIND_OFFSET);
        log.putRelease(entry, LogEntry.stamp(position));
        return new Logged(tail, ticket, position);
    }

    /** Installs a logged transaction's writes on the primaries. */
    void install(Transaction txn) {
        Memory buffers = txn.buffer().memory();
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (!access.isWrite()) {
                continue;
            }
            TablePartition primary = primary(access);
            Memory memory = primary.memory();
            TableLayout table = access.table().layout();
            TupleLayout t = access.layout();
            long tuple = RemoteAddress.offset(access.tupleAddress());
            if (access.intent() == Intent.DELETE) {
                primary.clearIdentity(tuple);
                memory.putLong(tuple + t.versionOffset(), txn.commitTs());
                primary.clear(table.entryOfTuple(tuple));
                freed.put(access.tupleAddress(), leaf(access));
            } else {
                buffers.copy(access.identityOffset(), memory, tuple + t.identityOffset(), t.identityBytes());
                buffers.copy(
                        access.imageOffset() + t.recordOffset(), memory, tuple + t.recordOffset(), t.recordBytes());
                memory.putLong(tuple + t.versionOffset(), txn.commitTs());
            }
            if (access.intent() == Intent.INSERT) {
                primary.publish(table.entryOfTuple(tuple), access.keyHash());
            }
            if (access.intent() != Intent.UPDATE) {
                memory.putLong(leaf(access) + table.leafVersionOffset(), txn.commitTs());
            }
        }
    }

    /** Marks a logged transaction as aborted and gives back the slots that it reserved. */
    void abort(Transaction txn, List<Logged> logged) {
        for (Logged entry : logged) {
            Memory log = logs[entry.tail().backup()];
            long offset = layout.entryOffset(entry.tail().ring(), entry.position());
            int length = LogEntry.length(log.getLong(offset + LogEntry.KIND_OFFSET));
            log.putLong(offset + LogEntry.KIND_OFFSET, LogEntry.kindAndLength(LogEntry.ABORTED, length));
        }
        release(txn);
    }

    /** Gives back the slots that an unlogged or aborted transaction reserved. */
    void release(Transaction txn) {
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.intent() == Intent.INSERT && access.isWrite()) {
                long tuple = RemoteAddress.offset(access.tupleAddress());
                primary(access).clear(access.table().layout().entryOfTuple(tuple));
            }
        }
    }

    /** Decides an entry without an announcement. */
    void decide(Logged entry) {
        entry.tail().decide(entry.ticket());
        undecided.remove(entry);
    }

    /** Announces the decided position to a backup. */
    void announce(LogTail tail) {
        logs[tail.backup()].putRelease(layout.decidedOffset(tail.ring()), tail.decided());
        tail.announced(tail.decided());
    }

    void announceAll() {
        for (LogTails all : tails) {
            for (int backup = 0; backup < NODES; backup++) {
                announce(all.tail(backup));
            }
        }
    }

    /** Decides, announces and replays all entries. */
    void level() {
        List.copyOf(undecided).forEach(this::decide);
        announceAll();
        int work;
        do {
            work = 0;
            for (LogRings[] node : rings) {
                for (LogRings reader : node) {
                    work += reader.poll();
                }
            }
        } while (work > 0);
        readHeads();
        freed.clear();
    }

    void readHeads() {
        for (LogTails all : tails) {
            for (int backup = 0; backup < NODES; backup++) {
                LogTail tail = all.tail(backup);
                tail.head(logs[backup].getAcquire(layout.headOffset(tail.ring())));
            }
        }
    }

    boolean isDrained() {
        readHeads();
        for (LogTails all : tails) {
            for (int backup = 0; backup < NODES; backup++) {
                if (!all.tail(backup).isDrained()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Describes the first difference of a copy from its primary, or null. */
    String difference() {
        for (int table = 0; table < catalog.tables(); table++) {
            for (int partition = 0; partition < NODES; partition++) {
                Memory primary =
                        memstores[partition].partition(table, partition).memory();
                for (int node = 0; node < NODES; node++) {
                    Memory copy = memstores[node].partition(table, partition).memory();
                    for (long offset = 0; offset < primary.size(); offset += 8) {
                        if (copy.getLong(offset) != primary.getLong(offset)) {
                            return "table " + table + ", partition " + partition + ", node " + node + " at " + offset;
                        }
                    }
                }
            }
        }
        return null;
    }

    private boolean concerns(Transaction txn, int backup) {
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isWrite() && catalog.placement().isBackup(backup, access.partition())) {
                return true;
            }
        }
        return false;
    }

    private TablePartition primary(Access access) {
        return memstores[access.node()].partition(access.table().id(), access.partition());
    }

    private static long leaf(Access access) {
        return access.table().layout().leafOffset(access.keyHash());
    }
}
