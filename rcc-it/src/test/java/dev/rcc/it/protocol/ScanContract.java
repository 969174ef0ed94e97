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
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.server.ClusterConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Range scans see the keys that there are, and keep others from adding any or taking any away (Sundial, 3.4). The index's
 * nodes are small, so that leaves split and merge all the time.
 */
abstract class ScanContract extends ProtocolContract {
    /** Leaves of 8 keys, inner nodes of 4 children. */
    private static final TableSchema SCHEMA =
            TableSchema.ofLongKeys(0, "orders", 8, 300).ordered(104);

    private static final int EVERYTHING = 10_000;

    /** Three nodes of two workers with two coroutines. */
    private ClusterConfig busy(HybridCode code) {
        return config(code, SCHEMA).withShape(3, 2, 2, 3);
    }

    private static Procedure executing(Consumer<Transaction> body) {
        return procedure(txn -> null, (txn, nothing) -> body.accept(txn));
    }

    private static void commit(TransactionRunner runner, Consumer<Transaction> body) {
        assertThat(runner.run(executing(body)))
                .as("%s", runner.transaction().abortReason())
                .isEqualTo(Outcome.COMMITTED);
    }

    private static List<Long> keys(TestCluster cluster, int node, long from, long to, int limit) {
        List<Long> keys = new ArrayList<>();
        cluster.commit(node, executing(txn -> {
            keys.clear();
            Scan scan = txn.scan(cluster.table(0), from, to, limit);
            for (int i = 0; i < scan.size(); i++) {
                assertThat(scan.access(i).getLong(VALUE)).isEqualTo(scan.key(i));
                keys.add(scan.key(i));
            }
        }));
        return keys;
    }

    private static Access insert(Transaction txn, Table table, long key) {
        Access access = txn.insert(table, key);
        txn.fetch();
        if (!access.exists()) {
            access.putLong(VALUE, key);
        }
        return access;
    }

    private static long sum(Scan scan) {
        long sum = 0;
        for (int i = 0; i < scan.size(); i++) {
            sum += scan.access(i).getLong(VALUE);
        }
        return sum;
    }

    // ---- one after the other

    @ForEveryCode
    void shouldScanAllAndOnlyCommittedKeys(HybridCode code) {
        long[] loaded = LongStream.range(0, 40).map(i -> 10 * i).toArray();
        try (TestCluster cluster = start(config(code, SCHEMA), loaded)) {
            Table table = cluster.table(0);
            cluster.commit(0, insert(table, 15, 15));
            cluster.commit(1, delete(table, 20));
            cluster.commit(2, insert(table, Long.MIN_VALUE, Long.MIN_VALUE));
            assertThat(cluster.run(1, executing(txn -> {
                        insert(txn, table, 16);
                        txn.delete(table, 30);
                        assertThat(txn.scan(table, 15, 31, 9).size()).isEqualTo(2);
                        txn.abort();
                    })))
                    .isEqualTo(Result.aborted(AbortReason.USER_ABORT));
            for (int node = 0; node < 3; node++) {
                assertThat(keys(cluster, node, 5, 50, 9)).containsExactly(10L, 15L, 30L, 40L);
                assertThat(keys(cluster, node, 10, 31, 2)).containsExactly(10L, 15L);
                assertThat(keys(cluster, node, Long.MIN_VALUE, 1, 9)).containsExactly(Long.MIN_VALUE, 0L);
                assertThat(keys(cluster, node, Long.MIN_VALUE, Long.MAX_VALUE, EVERYTHING))
                        .hasSize(41)
                        .isSorted();
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldInsertWhereItScanned(HybridCode code) {
        try (TestCluster cluster = start(config(code, SCHEMA), 1, 2, 3)) {
            Table table = cluster.table(0);
            cluster.commit(0, executing(txn -> {
                Scan scan = txn.scan(table, 0, 100, 100);
                insert(txn, table, scan.key(scan.size() - 1) + 1);
            }));
            assertThat(keys(cluster, 1, 0, 100, 100)).containsExactly(1L, 2L, 3L, 4L);
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldEmptyARangeAndFillItAgain(HybridCode code) {
        long[] loaded = LongStream.range(0, 60).toArray();
        ClusterConfig roomy = config(code, SCHEMA).withMemory(64 * 1024, 256 * 1024, 1024);
        try (TestCluster cluster = start(roomy, loaded)) {
            Table table = cluster.table(0);
            cluster.commit(1, executing(txn -> txn.scan(table, 5, 55, EVERYTHING, Intent.DELETE)));
            assertThat(keys(cluster, 0, 0, 60, EVERYTHING)).hasSize(10);
            cluster.assertAtRest();
            cluster.commit(2, executing(txn -> {
                for (long key = 5; key < 55; key++) {
                    insert(txn, table, key);
                }
            }));
            assertThat(keys(cluster, 0, 0, 60, EVERYTHING)).hasSize(60);
            cluster.assertAtRest();
        }
    }

    // ---- at the same time

    // Each inserts a key on its side if the scan finds the other side empty. Were the scan blind to an insert, both
    // sides
    // would get one: write skew by a phantom.
    @ForEveryCode
    void shouldNotMissAKeyThatComesIntoAScannedRange(HybridCode code) {
        int rounds = 12;
        HistoryCollector collector = new HistoryCollector();
        try (TestCluster cluster = start(busy(code).withHistory(collector))) {
            Table table = cluster.table(0);
            AtomicInteger sides = new AtomicInteger();
            cluster.everywhere((runner, self) -> {
                int side = sides.getAndIncrement() & 1;
                for (int round = 0; round < rounds; round++) {
                    long mine = round * 100L + side * 50L;
                    long others = round * 100L + (1 - side) * 50L;
                    long key = mine + self.worker().random(50);
                    commit(runner, txn -> {
                        if (txn.scan(table, others, others + 50, 1).size() == 0) {
                            insert(txn, table, key);
                        }
                    });
                }
            });
            cluster.assertAtRest();
            for (int round = 0; round < rounds; round++) {
                boolean left =
                        !keys(cluster, 0, round * 100L, round * 100L + 50, 1).isEmpty();
                boolean right = !keys(cluster, 0, round * 100L + 50, round * 100L + 100, 1)
                        .isEmpty();
                assertThat(left ^ right)
                        .as("one side of round %d in %s", round, cluster)
                        .isTrue();
            }
            assertThat(Checker.check(collector.history(), Model.SERIALIZABLE).findings())
                    .isEmpty();
        }
    }

    // Tokens move to other keys, by a delete and an insert, while audits scan and add them up.
    @ForEveryCode
    void shouldSeeEachMovingTokenOnce(HybridCode code) {
        int tokens = 16;
        int places = 64;
        HistoryCollector collector = new HistoryCollector();
        try (TestCluster cluster = start(
                busy(code).withHistory(collector),
                c -> LongStream.range(0, tokens).forEach(i -> c.loader.load(c.table(0), i * 4L, value(1L << i))))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < rounds(8); i++) {
                    long from = self.worker().random(places);
                    long to = self.worker().random(places);
                    if (i % 4 == 3) {
                        long[] sum = new long[1];
                        commit(runner, txn -> sum[0] = sum(txn.scan(table, 0, places, EVERYTHING)));
                        assertThat(sum[0]).as("tokens in %s", cluster).isEqualTo((1L << tokens) - 1);
                    } else {
                        commit(runner, txn -> move(txn, table, from, to));
                    }
                }
            });
            cluster.assertAtRest();
            assertThat(Checker.check(collector.history(), Model.SERIALIZABLE).findings())
                    .isEmpty();
        }
    }

    /** Moves the first token from {@code from} on to {@code to}, if there is one and the place is free. */
    private static void move(Transaction txn, Table table, long from, long to) {
        Access place = txn.insert(table, to);
        txn.fetch();
        if (place.exists()) {
            return;
        }
        place.putLong(VALUE, 0);
        Scan found = txn.scan(table, from == to ? from + 1 : from, to > from ? to : Long.MAX_VALUE, 1, Intent.DELETE);
        if (found.size() == 1) {
            place.putLong(VALUE, found.access(0).getLong(VALUE));
        } // or else the new place stays, worth nothing
    }

    @ForEveryCode
    void shouldLoseNoKeyWhileLeavesSplitAndMerge(HybridCode code) {
        int each = 20;
        try (TestCluster cluster = start(busy(code))) {
            Table table = cluster.table(0);
            int clients = 3 * 2 * 2;
            AtomicInteger numbers = new AtomicInteger();
            cluster.everywhere((runner, self) -> {
                int number = numbers.getAndIncrement();
                for (int i = 0; i < each; i++) {
                    long key = (long) i * clients + number;
                    commit(runner, txn -> insert(txn, table, key));
                }
                for (int i = 0; i < each; i++) {
                    if (i % 4 != 0) {
                        long key = (long) i * clients + number;
                        commit(runner, txn -> txn.delete(table, key));
                    }
                }
            });
            cluster.assertAtRest();
            List<Long> expected = new ArrayList<>();
            for (long i = 0; i < each; i += 4) {
                LongStream.range(i * clients, (i + 1) * clients).forEach(expected::add);
            }
            assertThat(keys(cluster, 1, Long.MIN_VALUE, Long.MAX_VALUE, EVERYTHING))
                    .as("keys in %s", cluster)
                    .isEqualTo(expected);
        }
    }

    @ForEveryCode
    void shouldLoseNoUpdateOfAScannedRange(HybridCode code) {
        AtomicLong updates = new AtomicLong();
        try (TestCluster cluster = start(
                busy(code), c -> LongStream.range(0, 40).forEach(key -> c.loader.load(c.table(0), key, value(0))))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < rounds(6); i++) {
                    long from = self.worker().random(40);
                    int[] size = new int[1];
                    commit(runner, txn -> {
                        Scan scan = txn.scan(table, from, from + 6, 5, Intent.UPDATE);
                        size[0] = scan.size();
                        for (int k = 0; k < scan.size(); k++) {
                            Access access = scan.access(k);
                            access.putLong(VALUE, access.getLong(VALUE) + 1);
                        }
                    });
                    updates.addAndGet(size[0]);
                }
            });
            cluster.assertAtRest();
            long[] sum = new long[1];
            cluster.commit(0, executing(txn -> sum[0] = sum(txn.scan(table, 0, 40, EVERYTHING))));
            assertThat(sum[0]).as("updates in %s", cluster).isEqualTo(updates.get());
        }
    }

    // Whatever transactions do with ranges and keys, in whatever order.
    @ForEveryCode
    void shouldBeSerializableWithScans(HybridCode code) {
        int keys = 60;
        int each = 15;
        HistoryCollector collector = new HistoryCollector();
        try (TestCluster cluster = start(
                busy(code).withHistory(collector),
                c -> LongStream.range(0, keys / 2).forEach(i -> c.loader.load(c.table(0), 2 * i, value(2 * i))))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < each; i++) {
                    long from = self.worker().random(keys);
                    long key = self.worker().random(keys);
                    boolean deletes = self.worker().random(2) == 0;
                    commit(runner, txn -> {
                        Scan scan = txn.scan(table, from, from + 10, 5);
                        boolean seen = false;
                        for (int k = 0; k < scan.size(); k++) {
                            seen |= scan.key(k) == key;
                        }
                        if (!seen && deletes) {
                            txn.delete(table, key);
                        } else if (!seen) {
                            insert(txn, table, key);
                        }
                    });
                }
            });
            cluster.assertAtRest();
            assertThat(collector.history().size()).isEqualTo(3 * 2 * 2 * each);
            assertThat(Checker.check(collector.history(), Model.SERIALIZABLE).findings())
                    .as("history of %s", cluster)
                    .isEmpty();
        }
    }
}
