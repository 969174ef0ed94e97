package dev.rcc.bench.workload.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rcc.bench.workload.ClientGenerator;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.HotArea;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workload.ycsb.YcsbTransaction.WriteKind;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.client.CallOptions;
import dev.rcc.client.wire.Key;
import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YcsbGeneratorTest {
    private static final long SEED = 11;
    private static final int OPERATIONS = 10;
    private static final int TRANSACTIONS = 5_000;

    private final Table table = new Catalog(
                    new RingPlacement(1, 1), 8, List.of(TableSchema.ofLongKeys(0, "usertable", 64, 1_000)))
            .table(0);
    private final YcsbTransaction txn = new YcsbTransaction(table, OPERATIONS, WriteKind.READ_MODIFY_WRITE, 0);

    @Test
    void shouldWriteAsOftenAsAsked() {
        YcsbGenerator generator = generator(new HotArea(1_000, 1, 0), 1_000);
        long writes = 0;
        for (int i = 0; i < TRANSACTIONS; i++) {
            assertThat(generator.next()).isSameAs(txn);
            writes += txn.writeCount();
            generator.committed();
        }
        assertThat((double) writes / TRANSACTIONS / OPERATIONS)
                .as("seed %d", SEED)
                .isCloseTo(0.2, within(0.01));
        assertThat(generator.tally()).isEqualTo(writes);
    }

    @Test
    void shouldNotCountUncommittedTransactions() {
        YcsbGenerator generator = generator(new HotArea(1_000, 1, 0), 1_000);
        generator.next();
        generator.next();
        assertThat(generator.tally()).isZero();
        assertThat(generator.anomalies()).isZero();
    }

    // Even when all accesses are to one hot record, and when there are no more records than operations.
    @Test
    void shouldAccessEachRecordOnce() {
        for (long records : new long[] {OPERATIONS, 1_000}) {
            YcsbGenerator generator = generator(new HotArea(records, 1, 1), records);
            for (int i = 0; i < 100; i++) {
                generator.next();
                Set<Long> keys = new HashSet<>();
                for (int operation = 0; operation < OPERATIONS; operation++) {
                    keys.add(txn.key(operation));
                }
                assertThat(keys).as("seed %d", SEED).hasSize(OPERATIONS).allMatch(key -> key < records);
            }
        }
    }

    private YcsbGenerator generator(HotArea chooser, long records) {
        return new YcsbGenerator(
                txn, RecordSet.all(records, chooser), new RecordSet[0], 0, 0.2, new SplittableRandom(SEED));
    }

    // 3 nodes with 2 clients each. Operations that stay go to the client's node, the others to both other
    // nodes alike, and each node has its own most frequent record.
    @Test
    void shouldGoToOtherNodesAsOftenAsAsked() {
        Workload workload = Workloads.create("ycsb-sundial", Map.of("records-per-node", "1000"));
        Placement placement = new RingPlacement(3, 3);
        Catalog catalog = new Catalog(placement, 8, workload.tables(3));
        List<Generator> generators = workload.generators(catalog, 6, new SplittableRandom(SEED));
        for (int client = 0; client < 6; client++) {
            int[] count = new int[3];
            Map<Long, Integer> drawn = new HashMap<>();
            int own = client / 2;
            for (int i = 0; i < TRANSACTIONS; i++) {
                YcsbTransaction next = (YcsbTransaction) generators.get(client).next();
                assertThat(next.operations()).isEqualTo(16);
                for (int operation = 0; operation < next.operations(); operation++) {
                    int node = placement.primary(placement.partition(KeyHash.of(next.key(operation))));
                    count[node]++;
                    if (node == own) {
                        drawn.merge(next.key(operation), 1, Integer::sum);
                    }
                }
            }
            double all = 16.0 * TRANSACTIONS;
            assertThat(count[own] / all).as("seed %d", SEED).isCloseTo(0.9, within(0.01));
            assertThat(count[(own + 1) % 3] / all).as("seed %d", SEED).isCloseTo(0.05, within(0.005));
            long hottest = Collections.max(drawn.entrySet(), Map.Entry.comparingByValue())
                    .getKey();
            long first = 0;
            while (placement.primary(placement.partition(KeyHash.of(first))) != own) {
                first++;
            }
            assertThat(hottest).as("seed %d", SEED).isEqualTo(first);
        }
    }

    // Goal: the share of remote accesses of the client library's clients is the one asked for. Method: 2 nodes; count
    // the records that a
    // transaction reads or writes and whose primary copy is not on the node near which it begins.
    @ParameterizedTest
    @ValueSource(ints = {0, 10, 50, 100})
    void shouldBeginTheTransactionsOfClientsWhereTheRemoteAccessesAreAsManyAsAsked(int percent) {
        Workload workload = Workloads.create(
                "ycsb", Map.of("records-per-node", "1000", "remote-percent", Integer.toString(percent)));
        Placement placement = new RingPlacement(2, 1);
        Catalog catalog = new Catalog(placement, 8, workload.tables(2));
        List<ClientGenerator> clients = workload.clientGenerators(catalog, 4, new SplittableRandom(SEED));
        for (int number = 0; number < clients.size(); number++) {
            YcsbClient client = (YcsbClient) clients.get(number);
            long remote = 0;
            for (int i = 0; i < TRANSACTIONS; i++) {
                client.next();
                int begin = primary(placement, begin(client));
                assertThat(begin).isEqualTo(number / 2);
                remote += LongStream.of(client.drawn().keys())
                        .filter(key -> primary(placement, key) != begin)
                        .count();
            }
            assertThat(100.0 * remote / TRANSACTIONS / OPERATIONS)
                    .as("seed %d", SEED)
                    .isCloseTo(percent, within(1.0));
        }
    }

    /** The key near which a client begins the drawn transaction. */
    private static long begin(YcsbClient client) {
        return ((Key.OfLong) client.near(CallOptions.DEFAULT).near().key()).value();
    }

    private static int primary(Placement placement, long key) {
        return placement.primary(placement.partition(KeyHash.of(key)));
    }

    // Without nodes of their own, clients begin where the first record is.
    @Test
    void shouldBeginTheTransactionsOfClientsAtTheFirstRecordIfTheyAccessAllNodesAlike() {
        Workload workload = Workloads.create("ycsb", Map.of("records-per-node", "1000"));
        Catalog catalog = new Catalog(new RingPlacement(3, 1), 8, workload.tables(3));
        YcsbClient client = (YcsbClient) workload.clientGenerators(catalog, 1, new SplittableRandom(SEED))
                .getFirst();
        for (int i = 0; i < 100; i++) {
            client.next();
            assertThat(begin(client)).isEqualTo(client.drawn().keys()[0]);
        }
    }

    @Test
    void shouldRefuseMoreOperationsThanANodeHasRecords() {
        Workload workload = Workloads.create("ycsb-sundial", Map.of("records-per-node", "16", "operations", "16"));
        Catalog catalog = new Catalog(new RingPlacement(3, 1), 8, workload.tables(3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> workload.generators(catalog, 3, new SplittableRandom(SEED)))
                .withMessageContaining("-P operations: got '16', allowed: at most as many as a node has records");
    }

    @Test
    void shouldStayOnTheOnlyNode() {
        Workload workload = Workloads.create("ycsb", Map.of("records-per-node", "100", "remote-percent", "100"));
        Catalog catalog = new Catalog(new RingPlacement(1, 1), 8, workload.tables(1));
        YcsbTransaction next = (YcsbTransaction) workload.generators(catalog, 1, new SplittableRandom(SEED))
                .getFirst()
                .next();
        assertThat(next.key(0)).isBetween(0L, 99L);
    }
}
