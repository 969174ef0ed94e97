package dev.rcc.core.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.KeyList;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.Seeds;
import dev.rcc.core.testing.SerialCoordinator;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link OrderedIndex}, {@link IndexHints} and {@link Scan}, on memstores without concurrency control. */
class OrderedIndexTest extends OrderedIndexFixture {
    /** Leaves of 8 keys, inner nodes of 4 children: a few hundred keys make a tall tree. */
    private static final int SMALL_NODES = 104;

    private void create(TableSchema schema, long... keys) {
        create(schema, KeyList.of(keys));
        Memory record = Memory.allocate(Arena.ofAuto(), 8);
        for (long key : keys) {
            record.putLong(0, key);
            SerialCoordinator.load(table, memstores, key, record);
        }
    }

    private void createSmall(long... keys) {
        create(TableSchema.ofLongKeys(0, "orders", 8, 2_000).ordered(SMALL_NODES), keys);
    }

    private static List<Long> keys(Scan scan) {
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < scan.size(); i++) {
            keys.add(scan.key(i));
        }
        return keys;
    }

    private List<Long> scanAll(Client by) {
        List<Long> all = new ArrayList<>();
        by.commit(txn -> {
            all.clear();
            all.addAll(keys(txn.scanFrom(table, Long.MIN_VALUE, Integer.MAX_VALUE, Intent.READ)));
        });
        return all;
    }

    private void insert(Client by, long key) {
        by.commit(txn -> {
            Access access = txn.insert(table, key);
            txn.fetch();
            if (!access.exists()) {
                access.putLong(0, key);
            }
        });
    }

    private void delete(Client by, long key) {
        by.commit(txn -> txn.delete(table, key));
    }

    // ---- the interface

    @Test
    void shouldScanLoadedRecordsInTheOrderOfSignedKeys() {
        createSmall(5, -3, Long.MAX_VALUE, 0, Long.MIN_VALUE, 9);
        assertThat(scanAll(client)).containsExactly(Long.MIN_VALUE, -3L, 0L, 5L, 9L, Long.MAX_VALUE);
        client.commit(txn -> {
            assertThat(keys(txn.scan(table, -3, 9, 100))).containsExactly(-3L, 0L, 5L);
            assertThat(keys(txn.scan(table, -2, 10, 2))).containsExactly(0L, 5L);
            assertThat(keys(txn.scan(table, Long.MIN_VALUE, Long.MAX_VALUE, 100)))
                    .containsExactly(Long.MIN_VALUE, -3L, 0L, 5L, 9L);
            assertThat(keys(txn.scan(table, Long.MIN_VALUE, Long.MIN_VALUE + 1, 100)))
                    .containsExactly(Long.MIN_VALUE);
            assertThat(txn.scan(table, Long.MAX_VALUE, Long.MIN_VALUE, 100).size())
                    .isZero();
            assertThat(txn.scan(table, 4, 4, 100).size()).isZero();
            assertThat(txn.scan(table, 0, 10, 0).size()).isZero();
            assertThat(txn.scans()).isEqualTo(7);
        });
    }

    @Test
    void shouldReturnTheRangeThatAScanHasCovered() {
        createSmall(1, 2, 3);
        client.commit(txn -> {
            assertThat(txn.scan(table, 0, 100, 2).last()).isEqualTo(2);
            assertThat(txn.scan(table, 0, 100, 4).last()).isEqualTo(99);
            Scan nothing = txn.scan(table, 7, 7, 4);
            assertThat(nothing.from()).isGreaterThan(nothing.last());
            assertThat(txn.scan(1).from()).isZero();
            assertThat(txn.scan(1).intent()).isEqualTo(Intent.READ);
            assertThat(txn.scan(1).table()).isSameAs(table);
        });
    }

    @Test
    void shouldScanFromTheGreatestKeyDown() {
        createSmall(spread(100, 10));
        client.commit(txn -> {
            assertThat(keys(txn.scanDown(table, 100, 131, 9, Intent.READ))).containsExactly(130L, 120L, 110L, 100L);
            assertThat(keys(txn.scanDown(table, 100, 130, 2, Intent.READ))).containsExactly(120L, 110L);
            assertThat(keys(txn.scanDown(table, Long.MIN_VALUE, 10, 9, Intent.READ)))
                    .containsExactly(0L);
            assertThat(keys(txn.scanDownFrom(table, 0, 2, Intent.READ))).containsExactly(990L, 980L);
            assertThat(keys(txn.scanDownFrom(table, Long.MIN_VALUE, 1_000, Intent.READ)))
                    .hasSize(100)
                    .isSortedAccordingTo(Comparator.reverseOrder());
            assertThat(txn.scanDown(table, 5, 9, 9, Intent.READ).size()).isZero();
            assertThat(txn.scanDown(table, 9, 5, 9, Intent.READ).size()).isZero();
            assertThat(txn.scanDown(table, 0, Long.MIN_VALUE, 9, Intent.READ).size())
                    .isZero();
        });
        client.commit(txn ->
                assertThat(keys(txn.scanDown(table, 0, 100, 3, Intent.DELETE))).containsExactly(90L, 80L, 70L));
        client.commit(txn ->
                assertThat(keys(txn.scanDown(table, 50, 101, 9, Intent.UPDATE))).containsExactly(100L, 60L, 50L));
        assertSound();
    }

    @Test
    void shouldReturnTheRangeThatADescendingScanHasCovered() {
        createSmall(1, 2, 3);
        client.commit(txn -> {
            Scan some = txn.scanDown(table, 0, 100, 2, Intent.READ);
            assertThat(some.from()).isEqualTo(2);
            assertThat(some.last()).isEqualTo(99);
            assertThat(some.descends()).isTrue();
            assertThat(txn.scanDown(table, 0, 100, 4, Intent.READ).from()).isZero();
            assertThat(txn.scan(table, 0, 100, 4).descends()).isFalse();
        });
    }

    // Goal: a scan of the first or last keys of a range reads only the leaves that have these keys.
    @Test
    void shouldReadNoMoreLeavesThanItNeeds() {
        createSmall(spread(500, 1));
        client.commit(txn -> txn.scanFrom(table, 0, 500, Intent.READ)); // fills the client's hints
        client.commit(txn -> {
            txn.scan(table, 100, 400, 1);
            assertThat(txn.size()).as("a record and its leaf").isEqualTo(2);
        });
        client.commit(txn -> {
            txn.scanDown(table, 100, 400, 1, Intent.READ);
            assertThat(txn.size()).as("a record and its leaf").isEqualTo(2);
        });
    }

    @Test
    void shouldScanAnEmptyTable() {
        createSmall();
        assertThat(scanAll(client)).isEmpty();
        insert(client, 7);
        assertThat(scanAll(client)).containsExactly(7L);
        delete(client, 7);
        assertThat(scanAll(client)).isEmpty();
        assertSound();
    }

    // Goal: a transaction finds its own inserts in a table whose hash does not identify the key: the key in
    // the leaf is compared, too.
    @Test
    void shouldSeeItsOwnInsertsInATableThatIsDistributedByAPrefix() {
        create(TableSchema.ofLongKeys(0, "orders", 8, 200).modulo(6).ordered(SMALL_NODES));
        client.commit(txn -> {
            for (long key = 0; key < 3; key++) {
                txn.insert(table, (key << 16) | 5);
            }
            Scan scan = txn.scan(table, 0, Long.MAX_VALUE, 10);
            assertThat(scan.size()).isEqualTo(3);
            assertThat(scan.key(2)).isEqualTo((2 << 16) | 5);
        });
        assertSound();
    }

    @Test
    void shouldSeeItsOwnInsertsAndDeletes() {
        createSmall(10, 20, 30);
        client.commit(txn -> {
            Access access = txn.insert(table, 15);
            txn.delete(table, 20);
            Scan scan = txn.scan(table, 0, 100, 100);
            assertThat(keys(scan)).containsExactly(10L, 15L, 30L);
            assertThat(scan.access(1)).isSameAs(access);
            access.putLong(0, 99);
            assertThat(scan.access(1).getLong(0)).isEqualTo(99);
            txn.insert(table, 16);
            assertThat(keys(txn.scan(table, 0, 100, 100))).containsExactly(10L, 15L, 16L, 30L);
            assertThat(keys(scan)).containsExactly(10L, 15L, 30L);
        });
        assertThat(scanAll(client)).containsExactly(10L, 15L, 16L, 30L);
        assertSound();
    }

    @Test
    void shouldScanToUpdateAndToDelete() {
        createSmall(range(0, 50));
        client.commit(txn -> {
            Scan scan = txn.scan(table, 10, 40, 100, Intent.UPDATE);
            for (int i = 0; i < scan.size(); i++) {
                scan.access(i).putLong(0, -scan.key(i));
            }
        });
        client.commit(txn -> txn.scan(table, 20, 30, 100, Intent.DELETE));
        assertSound();
        List<Long> values = new ArrayList<>();
        client.commit(txn -> {
            Scan scan = txn.scan(table, 8, 42, 100);
            for (int i = 0; i < scan.size(); i++) {
                values.add(scan.access(i).getLong(0));
            }
        });
        List<Long> expected = new ArrayList<>(List.of(8L, 9L));
        IntStream.range(10, 20).forEach(i -> expected.add((long) -i));
        IntStream.range(30, 40).forEach(i -> expected.add((long) -i));
        expected.addAll(List.of(40L, 41L));
        assertThat(values).isEqualTo(expected);
    }

    // The leaf was fetched for reading only. Unless that access can be upgraded in place, the next attempt
    // fetches it for writing.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldInsertIntoARangeThatItHasScanned(boolean inPlace) {
        createSmall(10, 20);
        client.coordinator.upgradesInPlace = inPlace;
        client.commit(txn -> {
            assertThat(keys(txn.scan(table, 0, 100, 100))).containsExactly(10L, 20L);
            txn.insert(table, 12);
        });
        assertThat(client.metrics.aborts(AbortReason.INDEX_CHANGED)).isEqualTo(inPlace ? 0 : 1);
        assertThat(client.metrics.attempted()).isEqualTo(inPlace ? 1 : 2);
        assertThat(scanAll(client)).containsExactly(10L, 12L, 20L);
    }

    // Splits up to the root, and merges, change nodes that the search has read before.
    @Test
    void shouldSplitAndMergeScannedNodesInPlace() {
        createSmall(range(0, 200));
        client.coordinator.upgradesInPlace = true;
        client.commit(txn -> {
            assertThat(txn.scan(table, 0, 400, 400).size()).isEqualTo(200);
            for (long key = 200; key < 400; key++) {
                txn.insert(table, key);
            }
        });
        client.commit(txn -> {
            assertThat(txn.scan(table, 0, 400, 400).size()).isEqualTo(400);
            for (long key = 3; key < 397; key++) {
                txn.delete(table, key);
            }
        });
        assertThat(client.metrics.attempted()).isEqualTo(2);
        assertThat(scanAll(client)).containsExactly(0L, 1L, 2L, 397L, 398L, 399L);
        assertSound();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldScanToUpdateAndToDeleteRecordsThatItHasScannedToRead(boolean inPlace) {
        createSmall(range(0, 60));
        client.coordinator.upgradesInPlace = inPlace;
        client.commit(txn -> {
            Scan read = txn.scan(table, 0, 60, 60);
            Scan scan = txn.scan(table, 10, 20, 60, Intent.UPDATE);
            for (int i = 0; i < scan.size(); i++) {
                assertThat(scan.access(i)).isSameAs(read.access(10 + i));
                scan.access(i).putLong(0, -1);
            }
            assertThat(txn.scan(table, 15, 30, 60, Intent.DELETE).size()).isEqualTo(15);
        });
        assertThat(scanAll(client)).hasSize(45).doesNotContain(15L, 29L).contains(14L, 30L);
        client.commit(txn ->
                assertThat(txn.scan(table, 10, 15, 9).access(4).getLong(0)).isEqualTo(-1));
        assertSound();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldApplyTheLastIntentForAKeyToTheIndex(boolean inPlace) {
        createSmall(1, 2, 3);
        client.coordinator.upgradesInPlace = inPlace;
        client.commit(txn -> {
            txn.insert(table, 2); // the key exists
            txn.read(table, 7);
            txn.fetch();
            txn.delete(table, 7); // the key does not exist
            assertThat(keys(txn.scan(table, 0, 10, 10))).containsExactly(1L, 2L, 3L);
            txn.delete(table, 2);
            txn.insert(table, 7);
            assertThat(keys(txn.scan(table, 0, 10, 10))).containsExactly(1L, 3L, 7L);
        });
        assertThat(scanAll(client)).containsExactly(1L, 3L, 7L);
        assertSound();
    }

    @Test
    void shouldChangeNothingForAnInsertOfAKeyThatExistsOrADeleteOfOneThatDoesNot() {
        createSmall(1);
        client.commit(txn -> {
            txn.insert(table, 1);
            txn.insert(table, 1);
            txn.delete(table, 2);
        });
        assertThat(scanAll(client)).containsExactly(1L);
        assertSound();
    }

    @Test
    void shouldLeaveTheIndexAloneWhenTheUserAborts() {
        createSmall(1);
        assertThat(client.runner.run(executing(txn -> {
                    txn.insert(table, 2);
                    txn.abort();
                })))
                .isEqualTo(Outcome.ABORTED);
        assertThat(scanAll(client)).containsExactly(1L);
        assertSound();
    }

    @Test
    void shouldScanRecordsThatItHasWrittenBlindly() {
        createSmall(1, 2, 3);
        client.commit(txn -> {
            Access written = txn.write(table, 2);
            txn.fetch();
            written.putLong(0, 200);
            for (Intent intent : List.of(Intent.UPDATE, Intent.READ)) {
                Scan scan = txn.scan(table, 2, 4, 100, intent);
                assertThat(keys(scan)).containsExactly(2L, 3L);
                assertThat(scan.access(0)).isSameAs(written);
                assertThat(scan.access(0).getLong(0)).isEqualTo(200);
            }
        });
        assertSound();
    }

    @Test
    void shouldRefuseImpossibleScansAndOrderedTables() {
        catalog = new Catalog(
                new RingPlacement(1, 1),
                8,
                List.of(
                        TableSchema.ofLongKeys(0, "plain", 8, 10),
                        TableSchema.ofLongKeys(1, "sorted", 8, 10).ordered()));
        Transaction txn = new Client(0, new IndexHints(catalog)).txn;
        txn.begin(true);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> txn.scan(catalog.table(0), 0, 1, 1))
                .withMessage("table plain is not ordered, so it cannot be scanned");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> txn.scan(catalog.table(1), 0, 1, -1))
                .withMessageContaining("-1");
        assertThatIllegalArgumentException().isThrownBy(() -> txn.scan(catalog.table(1), 0, 1, 1, Intent.INSERT));
        assertThatIllegalArgumentException().isThrownBy(() -> txn.scan(catalog.table(1), 0, 1, 1, Intent.WRITE));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> txn.read(catalog.table(1).indexNodes(), IndexNodeLayout.ROOT))
                .withMessage("table sorted.index belongs to an ordered index");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.ofByteKeys(0, "names", 801, 8, 10).ordered())
                .withMessage("table names: an ordered table has keys of at most 800 bytes, so that an index node holds"
                        + " enough of them, got 801");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.ofLongKeys(0, "t", 8, 10)
                        .ordered(IndexNodeLayout.minNodeBytes(KeyKind.LONG, 8) - 1));
        assertThat(catalog.userTables()).isEqualTo(2);
        assertThat(catalog.tables()).isEqualTo(3);
    }

    @Test
    void shouldDetectAnIndexThatDisagreesWithItsTable() {
        createSmall(1, 2, 3);
        Memory record = Memory.allocate(Arena.ofAuto(), 8);
        SerialCoordinator.load(table, memstores, 4, record);
        assertThat(violations())
                .containsExactly("ordered index of table orders: the index has 3 keys and the table 4, the first "
                        + "difference is nothing in the index, 4 in the table");
    }

    @Test
    void shouldRefuseATransactionThatMakesTooManyNodes() {
        createSmall();
        assertThatExceptionOfType(TransactionTooLarge.class)
                .isThrownBy(() -> client.runner.run(executing(txn -> {
                    for (long key = 0; key < 2_000; key++) {
                        txn.insert(table, key);
                    }
                })))
                .withMessageContaining("orders")
                .withMessageContaining("255");
        assertThat(scanAll(client)).isEmpty();
        assertSound();
    }

    /** The room grows until it suffices, so the exception comes at every point of every change. */
    @Test
    void shouldCommitNoPartOfAChangeThatHasRunOutOfRoomWhateverTheProcedureCatches() {
        createSmall();
        for (long key = 0; key < 40; key++) {
            insert(client, 10 * key);
        }
        int refused = 0;
        for (long key = 5; key < 400; key += 10) {
            for (int room = 0; !isInserted(key, room); room += Memory.WORD_BYTES) {
                assertSound();
                refused++;
            }
            assertSound();
        }
        assertThat(refused).isPositive();
    }

    /** Inserts a key, and catches the exception of an operation that finds no room. False if the transaction does not commit. */
    private boolean isInserted(long key, int room) {
        try {
            client.commit(txn -> {
                txn.insert(table, key);
                txn.fetch();
                long free = txn.buffer().size() - txn.buffer().allocate(0);
                txn.buffer().allocate((int) free - room);
                try {
                    txn.scan(table, key, key + 1, 1);
                } catch (TransactionTooLarge e) {
                    assertThat(e).hasMessageContaining("buffer");
                }
            });
            return true;
        } catch (TransactionTooLarge e) {
            return false;
        }
    }

    @Test
    void shouldRefuseAScanToDeleteOverItsOwnInserts() {
        createSmall();
        assertThatIllegalStateException()
                .isThrownBy(() -> client.runner.run(executing(txn -> {
                    txn.insert(table, 2);
                    txn.scan(table, 0, 10, 10, Intent.DELETE);
                })));
    }

    // ---- the tree

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 6, 7, 8, 9, 24, 25, 30, 100, 500})
    void shouldLoadTreesOfAnySize(int size) {
        createSmall(range(0, size));
        assertSound();
        assertThat(scanAll(client)).hasSize(size).isSorted();
    }

    // Each position of a full leaf, and of a full tree, is a split position once.
    @Test
    void shouldSplitAtEveryBoundary() {
        for (long key = -1; key < 400; key += 2) {
            createSmall(spread(200, 2));
            for (int i = 0; i < 4; i++) {
                insert(client, key + i * 10_000L);
            }
            for (long other = 1; other < 21; other += 2) {
                insert(client, key + other * 1_000);
            }
            insert(client, key);
            assertSound();
        }
    }

    @Test
    void shouldFillLeavesThatGrowAtTheEnd() {
        createSmall();
        for (long key = 0; key < 400; key++) {
            insert(client, key);
        }
        assertSound();
        assertThat(nodes()).isLessThan(50 + 50 / 2 + 20);
    }

    @Test
    void shouldKeepTheTreeSmallWhileKeysMove() {
        createSmall();
        int window = 100;
        long most = 0;
        for (long key = 0; key < 3_000; key++) {
            insert(client, key);
            if (key >= window) {
                delete(client, key - window);
            }
            most = Math.max(most, nodes());
        }
        assertSound();
        assertThat(most).isLessThan(60);
    }

    // Deletes leave each leaf with one key, from left to right and from right to left.
    @Test
    void shouldMergeLeavesThatBecameSparse() {
        for (boolean ascending : new boolean[] {true, false}) {
            createSmall(range(0, 1_200));
            long before = nodes();
            for (int i = 0; i < 1_200; i++) {
                long key = ascending ? i : 1_199 - i;
                if (key % 6 != 3) {
                    delete(client, key);
                }
            }
            assertSound();
            assertThat(nodes()).isLessThan(before / 2);
            for (int i = 0; i < 1_200; i++) {
                delete(client, i);
            }
            assertSound();
            assertThat(nodes()).isEqualTo(2);
        }
    }

    @Test
    void shouldMergeLeavesThatOneTransactionEmpties() {
        createSmall(range(0, 300));
        client.commit(txn -> txn.scan(table, 0, 299, 300, Intent.DELETE));
        assertThat(scanAll(client)).containsExactly(299L);
        assertSound();
        assertThat(nodes()).isLessThan(10);
    }

    @Test
    void shouldEndWithTheReasonWhenThereIsNoRoom() {
        create(TableSchema.ofLongKeys(0, "orders", 8, 1).ordered(SMALL_NODES));
        long key = 0;
        while (client.runner.run(inserting(key)) == Outcome.COMMITTED) {
            key++;
        }
        assertThat(client.txn.abortReason()).isEqualTo(AbortReason.TABLE_FULL);
        assertThat(scanAll(client)).hasSize((int) key);
        assertSound();
    }

    private Procedure inserting(long key) {
        return executing(txn -> txn.insert(table, key));
    }

    // A reader with outdated hints moves right, or begins at the root, and ends at the right leaf.
    @Test
    void shouldNotBeMisledByOldHints() {
        createSmall(spread(60, 10));
        Client other = new Client(1, new IndexHints(catalog));
        Seeds.forEach(20, random -> {
            scanAll(other);
            for (int i = 0; i < 60; i++) {
                long key = random.nextInt(600);
                if (random.nextInt(3) == 0) {
                    delete(client, key);
                } else {
                    insert(client, key);
                }
            }
            assertThat(scanAll(other)).isEqualTo(scanAll(client));
            insert(other, random.nextInt(600));
            assertSound();
        });
    }

    @Test
    void shouldReadInnerNodesOnlyWhenItIsCold() {
        createSmall(range(0, 500));
        client.commit(txn -> txn.read(table, 0));
        scanAll(client);
        long before = client.coordinator.fetches;
        client.commit(txn -> txn.scan(table, 250, 251, 1));
        assertThat(client.coordinator.fetches - before)
                .as("the leaf, the record")
                .isEqualTo(2);
        before = client.coordinator.fetches;
        client.commit(txn -> txn.insert(table, 250));
        assertThat(client.coordinator.fetches - before).as("both at once").isEqualTo(1);
    }

    @Test
    void shouldNotAllocateOnceWarm() {
        create(TableSchema.ofLongKeys(0, "orders", 8, 2_000).ordered(), range(0, 1_000));
        Procedure procedure = new Procedure() {
            private long key;

            @Override
            public void declare(Transaction txn) {
                key = (key + 37) % 900;
                txn.insert(table, 10_000 + key);
                txn.delete(table, key);
            }

            @Override
            public void execute(Transaction txn) {
                Scan scan = txn.scan(table, key, key + 50, 30);
                if (scan.size() != 30 || scan.key(0) != key + 1) {
                    throw new AssertionError("first key " + scan.key(0) + " after " + key);
                }
                txn.abort();
            }
        };
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 1_000;
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 20 && least > 0; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < rounds; i++) {
                client.runner.run(procedure);
            }
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / rounds);
        }
        assertThat(least).as("bytes per transaction").isZero();
    }

    // ---- properties

    @Test
    void shouldEqualASortedMap() {
        for (int nodeBytes : new int[] {SMALL_NODES, 168, IndexNodeLayout.DEFAULT_NODE_BYTES}) {
            Seeds.forEach(25, random -> {
                NavigableMap<Long, Long> expected = new TreeMap<>();
                long[] universe = universe(random);
                for (int i = 0; i < random.nextInt(universe.length); i++) {
                    expected.put(universe[random.nextInt(universe.length)], 0L);
                }
                create(
                        TableSchema.ofLongKeys(0, "orders", 8, 2_000).ordered(nodeBytes),
                        expected.keySet().stream().mapToLong(Long::longValue).toArray());
                expected.replaceAll((key, value) -> key);
                List<Client> clients =
                        List.of(client, new Client(1, new IndexHints(catalog)), new Client(2, new IndexHints(catalog)));
                for (int i = 0; i < 120; i++) {
                    step(random, universe, expected, clients.get(random.nextInt(clients.size())));
                }
                assertSound();
                for (Client each : clients) {
                    assertThat(scanAll(each)).containsExactlyElementsOf(expected.keySet());
                }
            });
        }
    }

    /** Keys close together, or far apart; always some at the ends. */
    private static long[] universe(SplittableRandom random) {
        int size = 4 + random.nextInt(500);
        long[] keys = new long[size];
        long spread = 1L << random.nextInt(54);
        for (int i = 0; i < size; i++) {
            keys[i] = (i - size / 2) * spread;
        }
        keys[0] = Long.MIN_VALUE;
        keys[1] = Long.MIN_VALUE + 1;
        keys[size - 2] = Long.MAX_VALUE - 1;
        keys[size - 1] = Long.MAX_VALUE;
        return keys;
    }

    /** One transaction of several operations, which may abort. */
    private void step(SplittableRandom random, long[] universe, NavigableMap<Long, Long> expected, Client by) {
        long seed = random.nextLong();
        int mood = random.nextInt(4); // 0 mostly deletes, 1 mostly inserts
        NavigableMap<Long, Long> result = new TreeMap<>();
        Outcome outcome = by.runner.run(executing(txn -> {
            SplittableRandom steps = new SplittableRandom(seed);
            result.clear();
            result.putAll(expected);
            Map<Long, Boolean> touched = new HashMap<>();
            int operations = 1 + steps.nextInt(12);
            for (int i = 0; i < operations; i++) {
                long key = universe[steps.nextInt(universe.length)];
                int what = mood < 2 && steps.nextInt(4) != 0 ? mood : steps.nextInt(4);
                if (what > 1) {
                    checkScan(txn, key, universe[steps.nextInt(universe.length)], steps.nextInt(30), result);
                } else if (touched.putIfAbsent(key, true) == null && txn.find(table, key) == null) {
                    change(txn, key, what == 0, result);
                }
            }
            if (steps.nextInt(10) == 0) {
                txn.abort();
            }
        }));
        if (outcome == Outcome.COMMITTED) {
            expected.clear();
            expected.putAll(result);
        } else {
            assertThat(by.txn.abortReason()).isEqualTo(AbortReason.USER_ABORT);
        }
    }

    private void change(Transaction txn, long key, boolean deletes, NavigableMap<Long, Long> result) {
        if (deletes) {
            txn.delete(table, key);
            result.remove(key);
        } else {
            Access access = txn.insert(table, key);
            txn.fetch();
            assertThat(access.exists()).isEqualTo(result.containsKey(key));
            if (!access.exists()) {
                access.putLong(0, key);
                result.put(key, key);
            }
        }
    }

    private void checkScan(Transaction txn, long from, long to, int limit, NavigableMap<Long, Long> result) {
        Scan scan = txn.scan(table, from, to, limit);
        List<Long> expected = from >= to
                ? List.of()
                : result.subMap(from, true, to, false).keySet().stream()
                        .limit(limit)
                        .toList();
        assertThat(keys(scan)).isEqualTo(expected);
        for (int i = 0; i < scan.size(); i++) {
            assertThat(scan.access(i).getLong(0)).isEqualTo(scan.key(i));
        }
        List<Long> fromTheEnd = from >= to
                ? List.of()
                : result.subMap(from, true, to, false).descendingKeySet().stream()
                        .limit(limit)
                        .toList();
        assertThat(keys(txn.scanDown(table, from, to, limit, Intent.READ))).isEqualTo(fromTheEnd);
    }

    // Goal: an optimistic protocol may let a transaction see index nodes of different times; such a
    // transaction ends soon, as a conflict.
    // Method: every fetch of a node may return an old image of it, or of another node, or nothing; nothing
    // commits.
    @Test
    void shouldNeitherFailNorLoopOnNodesThatNeverWereTogether() {
        long[] conflicts = {0};
        Seeds.forEach(15, random -> {
            createSmall(spread(100, 3));
            Client doomed = new Client(1, new IndexHints(catalog));
            TimeTraveller traveller = new TimeTraveller(doomed.txn, memstores, table.indexNodes(), random);
            doomed.use(traveller);
            for (int i = 0; i < 150; i++) {
                long key = random.nextInt(300);
                if (random.nextBoolean()) {
                    insert(client, key);
                } else {
                    delete(client, key);
                }
                long before = traveller.fetches;
                long seed = random.nextLong();
                doomed.runner.run(executing(txn -> {
                    SplittableRandom steps = new SplittableRandom(seed);
                    for (int step = 0; step < 6; step++) {
                        long at = steps.nextInt(300);
                        if (txn.find(table, at) == null) {
                            switch (steps.nextInt(4)) {
                                case 0 -> txn.insert(table, at);
                                case 1 -> txn.delete(table, at);
                                case 2 -> txn.scanDown(table, at - 100, at, 50, Intent.READ);
                                default -> txn.scan(table, at, at + 100, 50);
                            }
                        }
                    }
                }));
                assertThat(traveller.fetches - before).isLessThan(3 * 1_000);
                assertThat(doomed.txn.abortReason()).isIn(AbortReason.INDEX_CHANGED, AbortReason.LOCK_CONFLICT);
            }
            conflicts[0] += doomed.metrics.aborts(AbortReason.INDEX_CHANGED);
            assertSound();
        });
        assertThat(conflicts[0]).isPositive();
    }

    /** Returns images of nodes of any time, and lets no transaction commit. */
    private static final class TimeTraveller extends SerialCoordinator {
        private final Table nodes;
        private final SplittableRandom random;
        private final Map<Long, List<byte[]>> images = new HashMap<>();
        private final List<byte[]> all = new ArrayList<>();

        TimeTraveller(Transaction txn, List<Memstore> memstores, Table nodes, SplittableRandom random) {
            super(txn, memstores);
            this.nodes = nodes;
            this.random = random;
        }

        @Override
        protected boolean mayCommit() {
            txn.abort(AbortReason.LOCK_CONFLICT);
            return false;
        }

        @Override
        protected void fetch(Access access) {
            super.fetch(access);
            if (access.table() != nodes) {
                return;
            }
            Memory buffers = txn.buffer().memory();
            long record = access.imageOffset() + access.layout().recordOffset();
            List<byte[]> own = images.computeIfAbsent(access.longKey(), id -> new ArrayList<>());
            if (access.exists()) {
                byte[] image = new byte[access.layout().recordBytes()];
                buffers.getBytes(record, image, 0, image.length);
                own.add(image);
                all.add(image);
            }
            int chance = random.nextInt(40);
            List<byte[]> from = chance == 1 ? all : own;
            if (chance == 0) {
                access.foundNothing();
            } else if (chance < 12 && !from.isEmpty()) {
                buffers.putBytes(
                        record,
                        from.get(random.nextInt(from.size())),
                        0,
                        access.layout().recordBytes());
                access.foundTuple();
            }
        }
    }

    private static long[] range(long from, long to) {
        return LongStream.range(from, to).toArray();
    }

    /** Returns {@code count} keys from 0 at equal distances. */
    private static long[] spread(int count, long distance) {
        return LongStream.range(0, count).map(i -> i * distance).toArray();
    }
}
