package dev.rcc.core.txn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.SerialCoordinator;
import dev.rcc.core.testing.TestTransactions;
import dev.rcc.core.testing.ZonedPlacement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@link ReplicatedWrites}, on memstores without concurrency control. */
class ReplicatedWritesTest {
    private static final int NODES = 3;
    private static final int NODE = 1;
    private static final int NUMBERS = 0;
    private static final int NAMES = 1;

    private final FakeWorker worker = new FakeWorker(NODE);
    private final Catalog catalog = new Catalog(
            new RingPlacement(NODES, 1),
            8,
            List.of(
                    TableSchema.ofLongKeys(NUMBERS, "numbers", 16, 20).replicated(),
                    TableSchema.ofByteKeys(NAMES, "names", 12, 8, 20).replicated()));
    private final Table numbers = catalog.table(NUMBERS);
    private final Table names = catalog.table(NAMES);
    private final List<Memstore> memstores = IntStream.range(0, NODES)
            .mapToObj(node -> new Memstore(catalog, new FakeFabric(node)))
            .toList();
    private final Transaction txn = TestTransactions.create(worker, 0, catalog, 1 << 16);
    private final TransactionMetrics metrics = new TransactionMetrics();
    private final SerialCoordinator coordinator = new SerialCoordinator(txn, memstores);
    private final TransactionRunner runner =
            new TransactionRunner(txn, coordinator, new RetryPolicy(3, 1, 1), metrics, null);

    ReplicatedWritesTest() {
        worker.wallNanos = 1_000_000;
    }

    private void commit(Consumer<Transaction> declare, Consumer<Transaction> execute) {
        assertThat(run(declare, execute)).isEqualTo(Outcome.COMMITTED);
    }

    private Outcome run(Consumer<Transaction> declare, Consumer<Transaction> execute) {
        return runner.run(new Procedure() {
            @Override
            public void declare(Transaction declaring) {
                declare.accept(declaring);
            }

            @Override
            public void execute(Transaction executing) {
                execute.accept(executing);
            }
        });
    }

    private void insert(long key, long value) {
        commit(
                declaring -> declaring.insert(numbers, key),
                done -> done.access(0).putLong(0, value));
    }

    /** By partition, the first words of all records. */
    private List<List<Long>> records(Table table) {
        List<List<Long>> records = new ArrayList<>();
        for (int partition = 0; partition < NODES; partition++) {
            TablePartition copy = memstores.get(partition).partition(table.id(), partition);
            List<Long> each = new ArrayList<>();
            TupleLayout t = table.layout().tuple();
            copy.forEachTuple(tuple -> each.add(copy.memory().getLong(tuple + t.recordOffset())));
            records.add(each);
        }
        return records;
    }

    private static List<List<Long>> everywhere(Long... values) {
        return Collections.nCopies(NODES, List.of(values));
    }

    @Test
    void shouldReadTheTupleOfItsOwnNodeOnly() {
        insert(7, 70);
        commit(declaring -> declaring.read(numbers, 7), done -> {
            assertThat(done.size()).isEqualTo(1);
            assertThat(done.access(0).node()).isEqualTo(NODE);
            assertThat(done.access(0).partition()).isEqualTo(NODE);
            assertThat(done.access(0).getLong(0)).isEqualTo(70);
        });
    }

    @Test
    void shouldReadThePartitionWhosePrimaryItsNodeIs() {
        Catalog zoned = new Catalog(
                new ZonedPlacement(3, 1, 2),
                8,
                List.of(TableSchema.ofLongKeys(0, "numbers", 16, 20).replicated()));
        Transaction reader = TestTransactions.create(worker, 0, zoned, 1 << 16);
        reader.begin(true);
        assertThat(reader.read(zoned.table(0), 7).node()).isEqualTo(NODE);
        assertThat(reader.read(zoned.table(0), 7).partition()).isEqualTo(0);
        zoned.place(zoned.home().without(NODE)); // as if the node had lost its copies, and were alive
        reader.begin(true);
        assertThat(reader.read(zoned.table(0), 7).node()).isEqualTo(2);
    }

    @Test
    void shouldWriteTheTuplesOfAllPartitionsWhichAreFetchedTogether() {
        insert(7, 70);
        assertThat(records(numbers)).isEqualTo(everywhere(70L));

        long before = coordinator.fetches;
        commit(declaring -> declaring.update(numbers, 7), done -> done.access(0).putLong(0, 71));
        assertThat(coordinator.fetches).isEqualTo(before + 1);
        assertThat(records(numbers)).isEqualTo(everywhere(71L));

        commit(declaring -> declaring.write(numbers, 7), done -> done.access(0).putLong(0, 72));
        assertThat(records(numbers)).isEqualTo(everywhere(72L));

        commit(declaring -> declaring.delete(numbers, 7), done -> {});
        assertThat(records(numbers)).isEqualTo(everywhere());
    }

    /** The room grows until it suffices, so it ends at every point of the declaration. */
    @Test
    void shouldWriteAllTuplesOrNoneIfThereIsNoRoomForThemWhateverTheProcedureCatches() {
        insert(7, 70);
        int refused = 0;
        for (int room = 0; !records(numbers).equals(everywhere()); room += Memory.WORD_BYTES) {
            assertThat(records(numbers)).isEqualTo(everywhere(70L));
            refused += isDeletionRefused(7, room) ? 1 : 0;
        }
        assertThat(refused).isPositive();
    }

    /** Deletes a record, and catches the exception if there is no room for that. True if the transaction throws. */
    private boolean isDeletionRefused(long key, int room) {
        try {
            commit(
                    declaring -> {
                        declaring.buffer().allocate((int) declaring.buffer().size() - room);
                        try {
                            declaring.delete(numbers, key);
                        } catch (TransactionTooLarge e) {
                            assertThat(e).hasMessageContaining("buffer");
                        }
                    },
                    done -> {});
            return false;
        } catch (TransactionTooLarge e) {
            return true;
        }
    }

    @Test
    void shouldWriteTheTuplesOfAllPartitionsUnderAByteString() {
        byte[] key = "somewhere".getBytes(StandardCharsets.UTF_8);
        commit(declaring -> declaring.insert(names, key), done -> done.access(0).putLong(0, 5));
        assertThat(records(names)).isEqualTo(everywhere(5L));
        commit(declaring -> declaring.update(names, key), done -> done.access(0).putLong(0, 6));
        assertThat(records(names)).isEqualTo(everywhere(6L));
        commit(declaring -> declaring.delete(names, key), done -> {});
        assertThat(records(names)).isEqualTo(everywhere());
    }

    @Test
    void shouldWriteAccessesThatWereDeclaredLastAndNotFetched() {
        insert(7, 70);
        insert(8, 80);
        commit(declaring -> {}, executing -> {
            executing.insert(numbers, 9);
            executing.write(numbers, 8);
            executing.delete(numbers, 7);
        });
        assertThat(records(numbers)).isEqualTo(everywhere(0L, 0L));
        commit(
                declaring -> declaring.read(numbers, 9),
                done -> assertThat(done.access(0).exists()).isTrue());
    }

    @Test
    void shouldDeclareTheCopiesWhenAReadBecomesAnUpdate() {
        insert(7, 70);
        commit(
                declaring -> {
                    Access read = declaring.read(numbers, 7);
                    assertThat(declaring.size()).isEqualTo(1);
                    assertThat(declaring.update(numbers, 7)).isSameAs(read);
                    assertThat(declaring.size()).isEqualTo(NODES);
                    declaring.update(numbers, 7);
                    assertThat(declaring.size()).isEqualTo(NODES);
                },
                done -> done.access(0).putLong(0, 71));
        assertThat(records(numbers)).isEqualTo(everywhere(71L));
    }

    @Test
    void shouldEndAnAttemptThatFindsTuplesOfWhichOnlySomeExist() {
        insert(7, 70);
        clear(2);
        List<List<Long>> before = records(numbers);
        assertThat(run(
                        declaring -> declaring.update(numbers, 7),
                        done -> done.access(0).putLong(0, 71)))
                .isEqualTo(Outcome.ABORTED);
        assertThat(txn.abortReason()).isEqualTo(AbortReason.COPIES_DIFFER);
        assertThat(metrics.aborts(AbortReason.COPIES_DIFFER)).isEqualTo(3);
        assertThat(run(declaring -> declaring.delete(numbers, 7), done -> {})).isEqualTo(Outcome.ABORTED);
        assertThat(records(numbers)).isEqualTo(before).isNotEqualTo(everywhere(70L));
    }

    /** Removes all records of a partition from one copy, without the other copies. */
    private void clear(int partition) {
        TablePartition copy = memstores.get(partition).partition(NUMBERS, partition);
        copy.forEachTuple(tuple -> {
            copy.clearIdentity(tuple);
            copy.clear(numbers.layout().entryOfTuple(tuple));
        });
    }

    @Test
    void shouldForgetTheCopiesOfAnAttemptBefore() {
        insert(7, 70);
        insert(8, 80);
        commit(declaring -> declaring.update(numbers, txn.attempt() == 0 ? 7 : 8), executing -> {
            executing.access(0).putLong(0, 1);
            if (txn.attempt() == 0) {
                executing.abort(AbortReason.LOCK_CONFLICT);
            }
        });
        assertThat(records(numbers).getFirst()).containsExactlyInAnyOrder(70L, 1L);
        assertThat(records(numbers)).allSatisfy(each -> assertThat(each).containsExactlyInAnyOrder(70L, 1L));
    }

    @Test
    void shouldWriteNothingWhereAnUpdateChangesNothing() {
        insert(7, 70);
        commit(declaring -> declaring.update(numbers, 7), executing -> {
            Memory buffers = executing.buffer().memory();
            for (int i = 1; i < NODES; i++) {
                Access copy = executing.access(i);
                assertThat(copy.imageOffset()).isNotEqualTo(executing.access(0).imageOffset());
                assertThat(copy.longKey()).isEqualTo(7);
                assertThat(copy.isWrite()).isFalse();
                assertThat(buffers.getLong(copy.imageOffset() + copy.layout().recordOffset()))
                        .isEqualTo(70);
            }
        });
        for (int i = 0; i < NODES; i++) {
            assertThat(txn.access(i).isWrite()).isFalse();
        }
    }
}
