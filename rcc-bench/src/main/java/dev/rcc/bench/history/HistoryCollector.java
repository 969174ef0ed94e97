package dev.rcc.bench.history;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Worker;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * Records the history of one cluster, from all its workers and from its first transaction on. The leaves of the index show which keys
 * exist: a transaction that finds no record has read the key's leaf; a transaction that inserts or deletes has read and written the leaf.
 * So phantoms are conflicts like any other. The tuples of a replicated record, one in each partition, are one key: a history is as clients
 * see it, and so shows a read of a tuple that a write has left out.
 *
 * <p>A worker appends to its own log, without locks; it only allocates a chunk now and then. An operation on a 64-bit key takes
 * three words. The history is made on demand, on the caller's thread, in the order in which the transactions ended: equal runs
 * give equal histories.
 */
public final class HistoryCollector implements HistoryRecorder {
    /** Records loaded before the first transaction, and the leaves at that time, have versions up to this one. */
    private static final long LOADED_VERSION = 1;

    private static final int MAX_WORKERS = Timestamp.MAX_COROUTINE + 1;
    private static final int CHUNK_WORDS = 1 << 15;
    /** Transactions that a worker takes from the limit at a time. */
    private static final int ALLOTMENT = 64;

    private final AtomicReferenceArray<AtomicReferenceArray<WorkerLog>> logs =
            new AtomicReferenceArray<>(Timestamp.MAX_NODE + 1);
    private final AtomicReferenceArray<Table> tables = new AtomicReferenceArray<>(TableSchema.MAX_TABLES);
    private final AtomicLong allotted = new AtomicLong();
    private final LongSupplier allotments = this::allot;
    private final long maxTransactions;
    private final IntFunction<MemorySegment> memory;
    /** Whether transactions are recorded before they are logged, as their worker may die before they end. */
    private final boolean outlives;
    /** Whether lost nodes are replaced, so that in the end each abort is certain. */
    private final boolean settles;

    private HistoryCollector(
            long maxTransactions, IntFunction<MemorySegment> memory, boolean outlives, boolean settles) {
        this.maxTransactions = maxTransactions;
        this.memory = memory;
        this.outlives = outlives;
        this.settles = settles;
    }

    /** Records everything, in memory, of nodes that do not die. */
    public HistoryCollector() {
        this(Long.MAX_VALUE);
    }

    /**
     * Records everything in memory, each transaction before it is logged: so no write is missing that another transaction saw.
     *
     * @param areReplaced whether lost nodes are replaced
     */
    public static HistoryCollector ofNodesThatMayDie(boolean areReplaced) {
        return new HistoryCollector(Long.MAX_VALUE, HistoryCollector::array, true, areReplaced);
    }

    /**
     * Records everything in files in a directory, from which {@link #read} makes a history, even when this process was killed. A
     * transaction that had begun to log then has an unknown outcome. No write is missing that another transaction can have seen. Lost nodes are
     * replaced.
     */
    public static HistoryCollector inFiles(Path directory) {
        return new HistoryCollector(Long.MAX_VALUE, words -> HistoryFile.create(directory, words), true, true);
    }

    /**
     * Records until there are about {@code maxTransactions}. A history that was cut off is marked as incomplete, and can still be
     * checked: anomalies that it does not show are not found.
     */
    public HistoryCollector(long maxTransactions) {
        this(maxTransactions, HistoryCollector::array, false, false);
    }

    private static MemorySegment array(int words) {
        return MemorySegment.ofArray(new long[Math.max(CHUNK_WORDS, words)]);
    }

    @Override
    public void logging(Transaction txn, long beginNanos) {
        if (outlives) {
            WorkerLog log = log(txn.coroutine().worker());
            if (log.mayRecord(allotments)) {
                record(log, txn, beginNanos, History.NO_TIME, Status.UNKNOWN);
                log.endOfLogging(txn.id(), txn.coroutine().id());
            }
        }
    }

    @Override
    public void committed(Transaction txn, long beginNanos, long endNanos) {
        ended(txn, beginNanos, endNanos, Status.COMMITTED);
    }

    @Override
    public void aborted(Transaction txn, long beginNanos, long endNanos) {
        if (txn.commitTs() != Timestamp.NONE) {
            // If a node is lost, the other nodes may find the transaction in their logs and finish it, until
            // attemptAborted is called.
            boolean isKnown = txn.abortReason() != AbortReason.PEER_UNREACHABLE;
            ended(txn, beginNanos, endNanos, isKnown ? Status.ABORTED : Status.UNKNOWN);
        }
    }

    @Override
    public void attemptAborted(Transaction txn) {
        if (settles && txn.hasLogged()) {
            log(txn.coroutine().worker())
                    .settledAsAborted(txn.id(), txn.coroutine().id());
        }
    }

    private void ended(Transaction txn, long beginNanos, long endNanos, Status status) {
        WorkerLog log = log(txn.coroutine().worker());
        if (!log.ended(txn.id(), txn.coroutine().id(), endNanos, status) && log.mayRecord(allotments)) {
            record(log, txn, beginNanos, endNanos, status);
            log.end();
        }
    }

    /**
     * The history so far. May be called on any thread; transactions that are still running may be missing.
     *
     * @throws BadHistory if the transactions exceed a history's limits
     */
    public History history() {
        List<WorkerLog.Cursor> cursors = new ArrayList<>();
        long missed = 0;
        for (int node = 0; node < logs.length(); node++) {
            AtomicReferenceArray<WorkerLog> workers = logs.get(node);
            for (int worker = 0; workers != null && worker < workers.length(); worker++) {
                WorkerLog log = workers.get(worker);
                if (log != null) {
                    missed += log.missed();
                    cursors.add(log.cursor());
                }
            }
        }
        HistoryBuilder builder = builder();
        if (missed > 0) {
            builder.incomplete("recording stopped at its limit of " + maxTransactions + " transactions, " + missed
                    + " came after it");
        }
        merge(cursors, new KeyNames(tables::get), builder);
        return builder.build();
    }

    /**
     * The history of all collectors that recorded {@linkplain #inFiles in a directory}.
     *
     * @param catalog the cluster's catalog
     * @throws BadHistory if they contradict each other, or the transactions exceed a history's limits
     */
    public static History read(Path directory, Catalog catalog) throws IOException {
        HistoryBuilder builder = builder();
        try (Arena arena = Arena.ofConfined()) {
            List<WorkerLog.Cursor> cursors = new ArrayList<>();
            for (MemorySegment chunk : HistoryFile.open(directory, arena)) {
                cursors.add(new WorkerLog(chunk).cursor());
            }
            merge(cursors, new KeyNames(catalog::table), builder);
        }
        return builder.build();
    }

    private static HistoryBuilder builder() {
        return new HistoryBuilder().initialVersion(LOADED_VERSION);
    }

    private static void merge(List<WorkerLog.Cursor> cursors, KeyNames keyNames, HistoryBuilder builder) {
        PriorityQueue<WorkerLog.Cursor> next = new PriorityQueue<>(Comparator.comparingLong(WorkerLog.Cursor::endNanos)
                .thenComparing((a, b) -> Long.compareUnsigned(a.id(), b.id())));
        for (WorkerLog.Cursor cursor : cursors) {
            if (cursor.next()) {
                next.add(cursor);
            }
        }
        while (!next.isEmpty()) {
            WorkerLog.Cursor cursor = next.poll();
            cursor.copyTo(builder, keyNames);
            if (cursor.next()) {
                next.add(cursor);
            }
        }
    }

    // ---- on the workers --------------------------------------------------------------------------------------------

    private void record(WorkerLog log, Transaction txn, long beginNanos, long endNanos, Status status) {
        log.begin(txn.id(), beginNanos, endNanos, status, txn.coroutine().id());
        // All reads come first: a key or leaf that several accesses share was read before any of them wrote it.
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isFetched()) {
                if (access.exists() && !access.isBlind()) {
                    addRecord(log, Op.READ, access, access.version(), txn);
                }
                if (!access.exists() || addsOrRemoves(access)) {
                    addLeaf(log, Op.LEAF_READ, access, access.leafVersion());
                }
            }
        }
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isFetched() && access.isWrite()) {
                addRecord(log, writeKind(access.intent()), access, txn.commitTs(), txn);
                if (addsOrRemoves(access)) {
                    addLeaf(log, Op.LEAF_WRITE, access, txn.commitTs());
                }
            }
        }
    }

    private long allot() {
        return Math.clamp(maxTransactions - allotted.getAndAdd(ALLOTMENT), 0, ALLOTMENT);
    }

    private static boolean addsOrRemoves(Access access) {
        return access.isWrite() && (access.intent() == Intent.INSERT || access.intent() == Intent.DELETE);
    }

    private static int writeKind(Intent intent) {
        return switch (intent) {
            case INSERT -> Op.INSERT;
            case DELETE -> Op.DELETE;
            case READ, UPDATE, WRITE -> Op.WRITE;
        };
    }

    private void addRecord(WorkerLog log, int kind, Access access, long version, Transaction txn) {
        Memory memory = txn.buffer().memory();
        long identity = access.identityOffset();
        int keyBytes = TupleLayout.keyLength(memory.getLong(identity));
        log.add(kind, seen(access.table()), keyBytes, version);
        for (int offset = 0; offset < keyBytes; offset += Memory.WORD_BYTES) {
            log.addKeyWord(memory.getLong(identity + Memory.WORD_BYTES + offset));
        }
    }

    private void addLeaf(WorkerLog log, int kind, Access access, long version) {
        TableLayout layout = access.table().layout();
        long leaf = (layout.leafOffset(access.keyHash()) - layout.leafOffsetAt(0)) / layout.leafBytes();
        log.add(kind, seen(access.table()), access.partition(), version);
        log.addKeyWord(leaf);
    }

    private int seen(Table table) {
        if (tables.getPlain(table.id()) != table) {
            tables.setRelease(table.id(), table);
        }
        return table.id();
    }

    private WorkerLog log(Worker worker) {
        AtomicReferenceArray<WorkerLog> workers = logs.get(worker.node());
        if (workers == null) {
            logs.compareAndSet(worker.node(), null, new AtomicReferenceArray<>(MAX_WORKERS));
            workers = logs.get(worker.node());
        }
        WorkerLog log = workers.get(worker.index());
        if (log == null) {
            workers.compareAndSet(worker.index(), null, new WorkerLog(worker.node(), worker.index(), memory));
            log = workers.get(worker.index());
        }
        return log;
    }

    // ---- names -----------------------------------------------------------------------------------------------------

    /** Makes names of keys: {@code table/key}, and {@code leaf:table/partition/number}. */
    static final class KeyNames {
        private final IntFunction<Table> tables;
        private byte[] text = new byte[256];
        private int length;

        KeyNames(IntFunction<Table> tables) {
            this.tables = tables;
        }

        int record(HistoryBuilder builder, int table, byte[] key, int keyBytes) {
            Table of = tables.apply(table);
            length = 0;
            append(of.schema().name());
            append("/");
            if (of.schema().keyKind() == KeyKind.LONG) {
                append(Long.toString(number(key)));
            } else {
                append(readable(key, keyBytes));
            }
            return builder.keys.intern(text, length);
        }

        int leaf(HistoryBuilder builder, int table, int partition, long leaf) {
            length = 0;
            append("leaf:");
            append(tables.apply(table).schema().name());
            append("/");
            append(Integer.toString(partition));
            append("/");
            append(Long.toString(leaf));
            return builder.keys.intern(text, length);
        }

        private static long number(byte[] key) {
            long number = 0;
            for (int i = Long.BYTES - 1; i >= 0; i--) {
                number = (number << Byte.SIZE) | (key[i] & 0xFF);
            }
            return number;
        }

        /** Plain text unchanged; other keys, and plain text that begins with {@code 0x}, in hexadecimal. */
        private static String readable(byte[] key, int keyBytes) {
            String plain = new String(key, 0, keyBytes, StandardCharsets.US_ASCII);
            boolean isPlain = !plain.startsWith("0x");
            for (int i = 0; i < keyBytes; i++) {
                isPlain &= key[i] >= ' ' && key[i] <= '~';
            }
            return isPlain ? plain : "0x" + HexFormat.of().formatHex(key, 0, keyBytes);
        }

        private void append(String part) {
            byte[] utf8 = part.getBytes(StandardCharsets.UTF_8);
            if (length + utf8.length > text.length) {
                text = Arrays.copyOf(text, (length + utf8.length) * 2);
            }
            System.arraycopy(utf8, 0, text, length, utf8.length);
            length += utf8.length;
        }
    }
}
