package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.it.protocol.TestCluster.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** A table that may grow takes far more keys than its capacity, and a key in overflow is found, and missed, as any other. */
abstract class OverflowContract extends ProtocolContract {
    private static final TableSchema SMALL =
            TableSchema.ofLongKeys(0, "small", 16, 16).growing(3);
    private static final TableSchema ORDERED = TableSchema.ofLongKeys(0, "sorted", 16, 16)
            .growing(TableSchema.MAX_GROWTH)
            .ordered(IndexNodeLayout.minNodeBytes(KeyKind.LONG, 8));
    /** A value that is no key's. */
    private static final long NOWHERE = 1L << 40;

    // Goal: all nodes insert at once until the table holds what its growth promises; present keys are found
    // and absent keys are not, at any time. Method: each client looks for its own last key, for one that no
    // client inserts, and for another client's.
    @ForEveryCode
    void shouldTakeItsCapacityAndItsGrowthFromAllNodes(HybridCode code) {
        try (TestCluster cluster = start(config(code, SMALL))) {
            Table table = cluster.table(0);
            List<Long> keys = keysThatFill(cluster, table);
            AtomicInteger next = new AtomicInteger();
            ConcurrentHashMap<Long, Boolean> inserted = new ConcurrentHashMap<>();
            cluster.everywhere((runner, self) -> {
                for (int i = next.getAndIncrement(); i < keys.size(); i = next.getAndIncrement()) {
                    long key = keys.get(i);
                    assertThat(runner.run(insert(table, key, key))).isEqualTo(Outcome.COMMITTED);
                    inserted.put(key, true);
                    long other = keys.get(self.worker().random(keys.size()));
                    boolean isThere = inserted.containsKey(other);
                    assertThat(runner.run(procedure(
                                    txn -> List.of(
                                            txn.read(table, key),
                                            txn.read(table, NOWHERE + key),
                                            txn.read(table, other)),
                                    (txn, accesses) -> {
                                        assertThat(valueOf(accesses.get(0))).isEqualTo(key);
                                        assertThat(valueOf(accesses.get(1))).isNull();
                                        assertThat(valueOf(accesses.get(2)))
                                                .isIn(isThere ? List.of(other) : Arrays.asList(other, null));
                                    })))
                            .isEqualTo(Outcome.COMMITTED);
                }
            });
            assertOverflowed(cluster, table);
            for (int node = 0; node < 3; node++) {
                cluster.commitAll(
                        node, keys.stream().map(key -> expect(table, key, key)).toList());
            }
            cluster.assertAtRest();
        }
    }

    // Goal: no transaction sees one key of a pair without the other, whichever of them are in overflow; slots are freed
    // and taken again there. Method: pairs come and go in a table whose first part is full.
    @ForEveryCode
    void shouldShowKeysThatComeAndGoTogetherOnlyTogether(HybridCode code) {
        try (TestCluster cluster = start(config(code, SMALL), this::fillFirstPart)) {
            Table table = cluster.table(0);
            int pairs = 12;
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < rounds(40); i++) {
                    long even = NOWHERE + 2L * self.worker().random(pairs);
                    Procedure procedure = switch (self.worker().random(3)) {
                        case 0 ->
                            procedure(
                                    txn -> List.of(txn.insert(table, even), txn.insert(table, even + 1)),
                                    (txn, both) -> {
                                        assertSame(both);
                                        if (!both.get(0).exists()) {
                                            both.forEach(access -> access.putLong(VALUE, even));
                                        }
                                    });
                        case 1 ->
                            procedure(
                                    txn -> List.of(txn.delete(table, even), txn.delete(table, even + 1)),
                                    (txn, both) -> assertSame(both));
                        default ->
                            procedure(
                                    txn -> List.of(txn.read(table, even), txn.read(table, even + 1)),
                                    (txn, both) -> assertSame(both));
                    };
                    Outcome outcome = runner.run(procedure);
                    assertThat(outcome).isEqualTo(Outcome.COMMITTED);
                }
            });
            assertOverflowed(cluster, table);
            cluster.assertAtRest();
        }
    }

    // An attempt that is to be aborted may have read at two moments: then it throws, which aborts it anyway.
    private static void assertSame(List<Access> both) {
        if (both.get(0).exists() != both.get(1).exists()) {
            throw new IllegalStateException("one of two keys that come and go together");
        }
    }

    @ForEveryCode
    void shouldEndWithoutRetriesAndLeaveNothingWhenItsGrowthIsUsedUp(HybridCode code) {
        try (TestCluster cluster = start(config(code, SMALL))) {
            Table table = cluster.table(0);
            long slots = table.layout().slots();
            long[] keys = keysOn(cluster, 1, (int) slots + 1);
            Result result = Result.COMMITTED;
            int inserted = 0;
            while (result.equals(Result.COMMITTED)) {
                long key = keys[inserted];
                result = cluster.run(0, insert(table, key, key));
                inserted++;
            }
            int there = inserted - 1;
            assertThat(result).isEqualTo(Result.aborted(AbortReason.TABLE_FULL));
            assertThat((double) there).isBetween(0.65 * slots, (double) slots);
            cluster.commitAll(
                    2,
                    LongStream.of(keys)
                            .limit(inserted)
                            .mapToObj(key -> expect(table, key, key == keys[there] ? null : (Long) key))
                            .toList());

            cluster.commit(0, delete(table, keys[0]));
            cluster.commit(2, insert(table, keys[0], 5));
            cluster.commit(1, expect(table, keys[0], 5L));
            cluster.assertAtRest();
        }
    }

    // Goal: the nodes of an ordered index overflow as the records do.
    @ForEveryCode
    void shouldScanOverflowedRecordsAndIndexNodes(HybridCode code) {
        // More index nodes than their first part has slots, in each partition.
        int keys = 3_000;
        int scanned = 600;
        try (TestCluster cluster = start(config(code, ORDERED).withMemory(64 * 1024, 1024 * 1024, 1024))) {
            Table table = cluster.table(0);
            for (int node = 0; node < 3; node++) {
                int first = node;
                List<Procedure> inserts = new ArrayList<>();
                for (long key = first; key < keys; key += 3) {
                    inserts.add(insert(table, key, key));
                }
                cluster.commitAll(node, inserts);
            }
            assertOverflowed(cluster, table);
            assertOverflowed(cluster, table.indexNodes());
            cluster.commit(
                    1,
                    procedure(
                            txn -> null,
                            (txn, nothing) -> assertThat(
                                            txn.scan(table, 0, keys, scanned).size())
                                    .isEqualTo(scanned)));
            cluster.assertAtRest();
        }
    }

    private static Procedure expect(Table table, long key, Long value) {
        return procedure(
                txn -> txn.read(table, key),
                (txn, access) -> assertThat(valueOf(access)).as("key %s", key).isEqualTo(value));
    }

    /** As many keys of each partition as must fit. */
    private static List<Long> keysThatFill(TestCluster cluster, Table table) {
        int each = (int) (table.layout().slots() * 65 / 100);
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            for (int node = 0; node < 3; node++) {
                keys.add(0L);
            }
        }
        for (int node = 0; node < 3; node++) {
            long[] own = keysOn(cluster, node, each);
            for (int i = 0; i < each; i++) {
                keys.set(3 * i + node, own[i]);
            }
        }
        return keys;
    }

    private void fillFirstPart(TestCluster cluster) {
        Table table = cluster.table(0);
        for (int node = 0; node < 3; node++) {
            for (long key : keysOn(cluster, node, (int) table.layout().slots(0))) {
                cluster.loader.load(table, key, value(key));
            }
        }
    }

    private static void assertOverflowed(TestCluster cluster, Table table) {
        for (int node = 0; node < 3; node++) {
            assertThat(cluster.embedded.partition(node, table, node).depth()).isPositive();
        }
    }
}
