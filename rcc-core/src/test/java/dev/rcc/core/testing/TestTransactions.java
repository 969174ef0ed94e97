package dev.rcc.core.testing;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.time.TimestampClock;
import dev.rcc.core.time.WallClock;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Transaction;
import java.lang.foreign.Arena;

/** Transactions without a cluster. */
public final class TestTransactions {
    private TestTransactions() {}

    /** The transaction of a {@link FakeCoroutine} of {@code worker}, with a buffer of its own. */
    public static Transaction create(FakeWorker worker, int coroutine, Catalog catalog, int bufferBytes) {
        Memory buffers = Memory.allocate(Arena.ofAuto(), bufferBytes);
        return new Transaction(
                new FakeCoroutine(coroutine, worker),
                catalog,
                new BufferSlice(buffers, 0, bufferBytes),
                new TimestampClock(new WallClock(worker, 0), worker.node(), coroutine));
    }
}
