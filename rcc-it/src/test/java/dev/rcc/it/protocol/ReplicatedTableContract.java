package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.server.config.ClusterConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/** A replicated table is one table to transactions, though each node reads a tuple of its own. The inspection at rest compares all tuples. */
abstract class ReplicatedTableContract extends ProtocolContract {
    private static final TableSchema RATES =
            TableSchema.ofLongKeys(0, "rates", 24, 40).replicated();
    private static final TableSchema NAMES =
            TableSchema.ofByteKeys(1, "names", 20, 8, 20).replicated();
    private static final TableSchema PLAIN = TableSchema.ofLongKeys(2, "plain", 16, 40);

    private TestCluster startSmall(HybridCode code, long... keys) {
        return start(config(code, RATES, NAMES, PLAIN), keys);
    }

    /** Three nodes of two workers with two coroutines. */
    private ClusterConfig busy(HybridCode code, HistoryCollector collector) {
        return config(code, RATES, NAMES, PLAIN).withShape(3, 2, 2, 3).withHistory(collector);
    }

    private static void assertEverywhere(TestCluster cluster, long key, Long value) {
        for (int node = 0; node < 3; node++) {
            assertThat(cluster.read(node, cluster.table(0), key))
                    .as("key %s at node %s of %s", key, node, cluster)
                    .isEqualTo(value);
        }
    }

    private static void assertSerializable(HistoryCollector collector) {
        assertThat(Checker.check(collector.history(), Model.SERIALIZABLE).findings())
                .isEmpty();
    }

    private static void commit(TransactionRunner runner, Procedure procedure) {
        assertThat(runner.run(procedure))
                .as("%s", runner.transaction().abortReason())
                .isEqualTo(Outcome.COMMITTED);
    }

    // ---- one after the other ---------------------------------------------------------------------------------------

    @ForEveryCode
    void shouldReadAtEachNodeTheWritesOfOtherNodes(HybridCode code) {
        try (TestCluster cluster = startSmall(code, LongStream.range(0, 9).toArray())) {
            Table rates = cluster.table(0);
            for (int node = 0; node < 3; node++) {
                int key = 2 * node;
                assertEverywhere(cluster, key, (long) key);
                cluster.commit(node, write(rates, key, 100 + node));
                assertEverywhere(cluster, key, 100L + node);
                cluster.commit(
                        (node + 1) % 3, procedure(txn -> txn.write(rates, key), (txn, a) -> a.putLong(VALUE, 200)));
                assertEverywhere(cluster, key, 200L);
                cluster.commit(node, delete(rates, key));
                assertEverywhere(cluster, key, null);
                cluster.commit((node + 2) % 3, insert(rates, key, 300));
                assertEverywhere(cluster, key, 300L);
                cluster.commit(node, insert(rates, key, 400)); // which exists
                cluster.commit(node, delete(rates, 30 + node)); // which does not
                cluster.commit(node, procedure(txn -> txn.update(rates, key), (txn, unchanged) -> {}));
                assertEverywhere(cluster, key, 300L);
                assertEverywhere(cluster, key + 1, key + 1L);
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldReadTheTupleOfItsOwnNodeAndWriteAll(HybridCode code) {
        try (TestCluster cluster = startSmall(code, 1, 2)) {
            for (int node = 0; node < 3; node++) {
                int here = node;
                cluster.commit(node, procedure(txn -> txn.read(cluster.table(0), 1), (txn, access) -> {
                    assertThat(access.node()).isEqualTo(here);
                    assertThat(txn.size()).isEqualTo(1);
                }));
                cluster.commit(node, procedure(txn -> txn.update(cluster.table(0), 2), (txn, access) -> {
                    assertThat(access.node()).isEqualTo(here);
                    assertThat(txn.size()).isEqualTo(3);
                }));
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldLeaveNoTupleChangedWhenItAborts(HybridCode code) {
        try (TestCluster cluster = startSmall(code, 1, 2, 3)) {
            Table rates = cluster.table(0);
            Procedure gaveUp = procedure(
                    txn -> List.of(
                            txn.update(rates, 1), txn.delete(rates, 2), txn.insert(rates, 9), txn.write(rates, 3)),
                    (txn, accesses) -> {
                        accesses.get(0).putLong(VALUE, 50);
                        accesses.get(2).putLong(VALUE, 50);
                        accesses.get(3).putLong(VALUE, 50);
                        txn.abort();
                    });
            for (int node = 0; node < 3; node++) {
                assertThat(cluster.run(node, gaveUp)).isEqualTo(Result.aborted(AbortReason.USER_ABORT));
                for (long key = 1; key <= 3; key++) {
                    assertEverywhere(cluster, key, key);
                }
                assertEverywhere(cluster, 9, null);
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldWriteKeysThatItDiscovers(HybridCode code) {
        byte[] name = "a name of 20 letters".getBytes(StandardCharsets.UTF_8);
        try (TestCluster cluster = startSmall(code, 1, 2, 3)) {
            Table rates = cluster.table(0);
            Table names = cluster.table(1);
            for (int node = 0; node < 3; node++) {
                int round = node;
                cluster.commit(node, procedure(txn -> txn.read(rates, 1), (txn, first) -> {
                    long number = first.getLong(VALUE);
                    Access next = txn.update(rates, number + 1);
                    txn.fetch();
                    Access last = txn.update(rates, next.getLong(VALUE) + 1);
                    Access named = round == 0 ? txn.insert(names, name) : txn.update(names, name);
                    txn.fetch();
                    last.putLong(VALUE, last.getLong(VALUE) + 10);
                    named.putLong(0, last.getLong(VALUE));
                }));
                Long expected = 3 + 10L * (node + 1);
                assertEverywhere(cluster, 1, 1L);
                assertEverywhere(cluster, 2, 2L);
                assertEverywhere(cluster, 3, expected);
                for (int reader = 0; reader < 3; reader++) {
                    Long[] found = new Long[1];
                    cluster.commit(
                            reader,
                            procedure(txn -> txn.read(names, name), (txn, access) -> found[0] = valueOf(access)));
                    assertThat(found[0]).isEqualTo(expected);
                }
            }
            cluster.assertAtRest();
        }
    }

    // ---- at the same time ------------------------------------------------------------------------------------------

    // Two records are counted up together, from all nodes, and a third is set to their value. A transaction
    // that reads a node's tuples sees both alike, and never fewer than before.
    @ForEveryCode
    void shouldCountUpFromAllNodesAndNeverBack(HybridCode code) {
        int rounds = rounds(6);
        HistoryCollector collector = new HistoryCollector();
        try (TestCluster cluster = start(
                busy(code, collector),
                c -> List.of(0L, 1L, 2L).forEach(key -> c.loader.load(c.table(0), key, value(0))))) {
            Table rates = cluster.table(0);
            AtomicLong added = new AtomicLong();
            cluster.everywhere((runner, self) -> {
                long[] seen = new long[2];
                long before = 0;
                for (int i = 0; i < rounds; i++) {
                    boolean isBlind = i % 4 == 3;
                    commit(
                            runner,
                            procedure(
                                    txn -> List.of(
                                            txn.update(rates, 0),
                                            txn.update(rates, 1),
                                            isBlind ? txn.write(rates, 2) : txn.update(rates, 2)),
                                    (txn, counters) -> {
                                        long count = counters.get(0).getLong(VALUE) + 1;
                                        counters.forEach(counter -> counter.putLong(VALUE, count));
                                    }));
                    added.incrementAndGet();
                    for (int read = 0; read < 3; read++) {
                        commit(
                                runner,
                                procedure(txn -> List.of(txn.read(rates, 0), txn.read(rates, 1)), (txn, counters) -> {
                                    seen[0] = counters.get(0).getLong(VALUE);
                                    seen[1] = counters.get(1).getLong(VALUE);
                                }));
                        assertThat(seen[1]).as("in %s", cluster).isEqualTo(seen[0]);
                        assertThat(seen[0]).as("in %s", cluster).isGreaterThanOrEqualTo(Math.max(before, i + 1));
                        before = seen[0];
                    }
                }
            });
            cluster.assertAtRest();
            for (long key = 0; key < 3; key++) {
                assertEverywhere(cluster, key, added.get());
            }
            assertSerializable(collector);
        }
    }

    // Records come and go from all nodes; a record of a table that is not replicated counts them.
    @ForEveryCode
    void shouldAgreeWhichKeysExist(HybridCode code) {
        int keys = 4;
        HistoryCollector collector = new HistoryCollector();
        try (TestCluster cluster = start(busy(code, collector), c -> c.loader.load(c.table(2), 0, value(0)))) {
            Table rates = cluster.table(0);
            Table plain = cluster.table(2);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < rounds(8); i++) {
                    long key = self.worker().random(keys);
                    boolean isInsert = self.worker().random(2) == 0;
                    commit(
                            runner,
                            procedure(
                                    txn -> List.of(
                                            isInsert ? txn.insert(rates, key) : txn.delete(rates, key),
                                            txn.update(plain, 0)),
                                    (txn, accesses) -> {
                                        if (accesses.get(0).exists() != isInsert) {
                                            long count = accesses.get(1).getLong(VALUE);
                                            accesses.get(1).putLong(VALUE, count + (isInsert ? 1 : -1));
                                        }
                                    }));
                    long[] found = new long[2];
                    commit(
                            runner,
                            procedure(
                                    txn -> {
                                        txn.read(plain, 0);
                                        return LongStream.range(0, keys)
                                                .mapToObj(each -> txn.read(rates, each))
                                                .toList();
                                    },
                                    (txn, accesses) -> {
                                        found[0] = txn.access(0).getLong(VALUE);
                                        found[1] = accesses.stream()
                                                .filter(Access::exists)
                                                .count();
                                    }));
                    assertThat(found[1]).as("in %s", cluster).isEqualTo(found[0]);
                }
            });
            cluster.assertAtRest();
            assertSerializable(collector);
        }
    }
}
