package dev.rcc.core.txn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.CopyLoader;
import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.KeyList;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.OrderedIndexCheck;
import dev.rcc.core.store.OrderedIndexLoader;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.SerialCoordinator;
import dev.rcc.core.time.TimestampClock;
import dev.rcc.core.time.WallClock;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/** One ordered table on three memstores without concurrency control. */
abstract class OrderedIndexFixture {
    private static final int BUFFER_BYTES = 1 << 20;

    final FakeWorker worker = new FakeWorker(0);
    Catalog catalog;
    List<Memstore> memstores;
    Table table;
    Client client;

    /** A coroutine with a transaction; coroutines of one worker share their hints. */
    final class Client {
        final Transaction txn;
        final TransactionMetrics metrics = new TransactionMetrics();
        SerialCoordinator coordinator;
        TransactionRunner runner;

        Client(int coroutine, IndexHints hints) {
            txn = new Transaction(
                    new FakeCoroutine(coroutine, worker),
                    catalog,
                    new BufferSlice(Memory.allocate(Arena.ofAuto(), BUFFER_BYTES), 0, BUFFER_BYTES),
                    new TimestampClock(new WallClock(worker, 0), worker.node(), coroutine),
                    hints);
            use(new SerialCoordinator(txn, memstores));
        }

        void use(SerialCoordinator newCoordinator) {
            coordinator = newCoordinator;
            runner = new TransactionRunner(txn, coordinator, new RetryPolicy(9, 1, 1), metrics, null);
        }

        void commit(Consumer<Transaction> body) {
            assertThat(runner.run(executing(body))).as("%s", txn.abortReason()).isEqualTo(Outcome.COMMITTED);
        }
    }

    static Procedure executing(Consumer<Transaction> body) {
        return new Procedure() {
            @Override
            public void declare(Transaction txn) {}

            @Override
            public void execute(Transaction txn) {
                body.accept(txn);
            }
        };
    }

    /** Creates the table with an index of {@code keys}, but no records. */
    void create(TableSchema schema, KeyList keys) {
        create(List.of(schema), id -> keys);
    }

    /** Creates tables with ordered indexes of keys, but no records. */
    void create(List<TableSchema> schemas, IntFunction<KeyList> keys) {
        catalog = new Catalog(new RingPlacement(3, 1), 8, schemas);
        table = catalog.table(0);
        memstores = IntStream.range(0, 3)
                .mapToObj(node -> new Memstore(catalog, new FakeFabric(node)))
                .toList();
        OrderedIndexLoader.load(catalog, new CopyLoader(catalog, memstores, 1), keys);
        client = new Client(0, new IndexHints(catalog));
        worker.wallNanos = 1_000_000;
    }

    List<String> violations() {
        return new OrderedIndexCheck(catalog, memstores::get, table).violations();
    }

    void assertSound() {
        assertThat(violations()).isEmpty();
    }

    long nodes() {
        return nodes(level -> true);
    }

    long leaves() {
        return nodes(level -> level == IndexNodeLayout.LEAF_LEVEL);
    }

    private long nodes(LongPredicate isCounted) {
        int level = table.indexNodes().layout().tuple().recordOffset() + IndexNodeLayout.LEVEL_OFFSET;
        long[] count = {0};
        for (int i = 0; i < 3; i++) {
            TablePartition copy = memstores.get(i).partition(table.indexNodes().id(), i);
            copy.forEachTuple(tuple -> count[0] += isCounted.test(copy.memory().getLong(tuple + level)) ? 1 : 0);
        }
        return count[0];
    }
}
