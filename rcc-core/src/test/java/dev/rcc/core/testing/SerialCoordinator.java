package dev.rcc.core.testing;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Rollback;
import dev.rcc.core.txn.Transaction;
import java.lang.foreign.Arena;
import java.util.List;

/** Runs one transaction at a time on memstores in this JVM, without any concurrency control. */
public class SerialCoordinator implements Coordinator {
    /** The number of rounds in which transactions have fetched accesses. */
    public long fetches;
    /** Whether a fetched access can be upgraded at once to a stronger intent. */
    public boolean upgradesInPlace;

    protected final Transaction txn;
    private final List<Memstore> memstores;
    private final Transaction.Fetcher fetcher = new Transaction.Fetcher() {
        @Override
        public void fetch() {
            SerialCoordinator.this.fetch();
        }

        @Override
        public boolean upgrade(Access access) {
            return upgradesInPlace;
        }
    };
    private int fetched;

    public SerialCoordinator(Transaction txn, List<Memstore> memstores) {
        this.txn = txn;
        this.memstores = memstores;
    }

    @Override
    public Outcome run(Procedure procedure) {
        fetched = 0;
        txn.fetcher(fetcher);
        try {
            procedure.declare(txn);
            fetch();
            procedure.execute(txn);
            fetch();
        } catch (Rollback conflict) {
            return Outcome.ABORTED;
        }
        return txn.abortReason() == null && mayCommit() ? commit() : Outcome.ABORTED;
    }

    /** Whether an attempt that is ready to commit may commit. */
    protected boolean mayCommit() {
        return true;
    }

    /** Gives an access the image of its tuple. */
    protected void fetch(Access access) {
        TablePartition copy = partition(access.table(), access.partition());
        Memory buffers = txn.buffer().memory();
        long tuple = copy.lookup(access.keyHash(), buffers, access.identityOffset());
        if (tuple < 0) {
            access.foundNothing();
        } else {
            copy.memory()
                    .copy(tuple, buffers, access.imageOffset(), access.layout().tupleBytes());
            access.foundTuple();
        }
    }

    private void fetch() {
        fetches += fetched < txn.size() ? 1 : 0;
        while (fetched < txn.size()) {
            fetch(txn.access(fetched++));
        }
    }

    private Outcome commit() {
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isWrite() && access.intent() == Intent.INSERT && !hasRoom(access)) {
                txn.abort(AbortReason.TABLE_FULL);
                return Outcome.ABORTED;
            }
        }
        txn.commitTs(txn.clock().next());
        for (int i = 0; i < txn.size(); i++) {
            if (txn.access(i).isWrite()) {
                install(txn.access(i));
            }
        }
        return Outcome.COMMITTED;
    }

    private boolean hasRoom(Access access) {
        TablePartition copy = partition(access.table(), access.partition());
        long entry = copy.reserve(access.keyHash(), new long[TableLayout.CHOICES]);
        if (entry >= 0) {
            copy.clear(entry);
        }
        return entry >= 0;
    }

    private void install(Access access) {
        TablePartition copy = partition(access.table(), access.partition());
        Memory buffers = txn.buffer().memory();
        TupleLayout t = access.layout();
        long tuple = copy.lookup(access.keyHash(), buffers, access.identityOffset());
        switch (access.intent()) {
            case INSERT ->
                copy.load(
                        access.keyHash(),
                        buffers,
                        access.identityOffset(),
                        txn.commitTs(),
                        buffers,
                        access.imageOffset() + t.recordOffset());
            case UPDATE, WRITE ->
                buffers.copy(
                        access.imageOffset() + t.recordOffset(),
                        copy.memory(),
                        tuple + t.recordOffset(),
                        t.recordBytes());
            case DELETE -> {
                copy.clearIdentity(tuple);
                copy.clear(copy.table().layout().entryOfTuple(tuple));
            }
            case READ -> throw new AssertionError("a read writes");
        }
    }

    private TablePartition partition(Table table, int partition) {
        return memstores.get(txn.catalog().placement().primary(partition)).partition(table.id(), partition);
    }

    /** Inserts a record, on a cluster without replicas. */
    public static void load(Table table, List<Memstore> memstores, long key, Memory record) {
        Memory identity = Memory.allocate(Arena.ofAuto(), 2 * Memory.WORD_BYTES);
        identity.putLong(0, TupleLayout.liveHeader(Long.BYTES));
        identity.putLong(Memory.WORD_BYTES, key);
        load(table, memstores, table.keyHash(key), identity, record);
    }

    /** Inserts a record under a byte string, on a cluster without replicas. */
    public static void load(Table table, List<Memstore> memstores, byte[] key, Memory record) {
        TupleLayout tuple = table.layout().tuple();
        Memory identity = Memory.allocate(Arena.ofAuto(), tuple.identityBytes());
        tuple.putIdentity(identity, 0, key);
        load(table, memstores, table.keyHash(identity, Memory.WORD_BYTES, key.length), identity, record);
    }

    private static void load(Table table, List<Memstore> memstores, long keyHash, Memory identity, Memory record) {
        int partition = memstores.getFirst().catalog().placement().partition(keyHash);
        memstores
                .get(partition)
                .partition(table.id(), partition)
                .load(keyHash, identity, 0, Timestamp.NONE + 1, record, 0);
    }
}
