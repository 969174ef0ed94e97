package dev.rcc.protocols.locking;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.time.TimestampClock;
import dev.rcc.core.time.WallClock;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Transaction;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.stream.IntStream;

/** Transactions that do not run, with tables at the limits of messages. */
public final class Transactions {
    /** The tables. The last one has the largest keys and records, the others the smallest. */
    public static final Catalog CATALOG = new Catalog(
            new RingPlacement(40, 3),
            LockingProtocol.METADATA_BYTES,
            IntStream.range(0, TableSchema.MAX_TABLES)
                    .mapToObj(id -> id < TableSchema.MAX_TABLES - 1
                            ? TableSchema.ofLongKeys(id, "small" + id, 1, 1)
                            : TableSchema.ofByteKeys(
                                    id, "largest", TableSchema.MAX_KEY_BYTES, TableSchema.MAX_RECORD_BYTES, 1))
                    .toList());

    private Transactions() {}

    /** A transaction in its first attempt. */
    public static Transaction begin() {
        FakeWorker worker = new FakeWorker(0);
        Memory memory = Memory.allocate(Arena.ofAuto(), 256 * 1024);
        Transaction txn = new Transaction(
                new FakeCoroutine(0, worker),
                CATALOG,
                new BufferSlice(memory, 0, memory.size()),
                new TimestampClock(new WallClock(worker, 0), worker.node(), 0));
        txn.begin(true);
        return txn;
    }

    /** The ids of one table for each different layout. */
    public static List<Integer> tables() {
        return List.of(0, TableSchema.MAX_TABLES - 1);
    }
}
