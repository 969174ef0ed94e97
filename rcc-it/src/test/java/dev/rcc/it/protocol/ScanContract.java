package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.core.memory.Memory;
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
import dev.rcc.server.config.ClusterConfig;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * Range scans see the keys that there are, and keep other transactions from adding or removing any (Sundial, 3.4). The
 * index's nodes are small, so that leaves split and merge all the time. Each test runs on keys of both kinds.
 */
abstract class ScanContract extends ProtocolContract {
    private static final int EVERYTHING = 10_000;

    /** Three nodes of two workers with two coroutines. */
    private ClusterConfig busy(HybridCode code, ScanKeys by) {
        return busy(code, by.schema());
    }

    private ClusterConfig busy(HybridCode code, TableSchema schema) {
        // A scan of all keys meets leaves that are nearly empty, as many as merging has left.
        return config(code, schema).withShape(3, 2, 2, 3).withMemory(64 * 1024, 64 * 1024, 1024);
    }

    private static Procedure executing(Consumer<Transaction> body) {
        return procedure(txn -> null, (txn, nothing) -> body.accept(txn));
    }

    private static void commit(TransactionRunner runner, Consumer<Transaction> body) {
        assertThat(runner.run(executing(body)))
                .as("%s", runner.transaction().abortReason())
                .isEqualTo(Outcome.COMMITTED);
    }

    private TestCluster start(
            ClusterConfig config, ScanKeys by, LongStream keys, LongFunction<Consumer<Memory>> value) {
        return start(config, c -> keys.forEach(key -> by.load(c.loader, c.table(0), key, value.apply(key))));
    }

    private static List<Long> keys(TestCluster cluster, ScanKeys by, int node, long from, long to, int limit) {
        return keys(cluster, by, node, txn -> by.scan(txn, cluster.table(0), from, to, limit));
    }

    private static List<Long> keysDown(TestCluster cluster, ScanKeys by, int node, long from, long to, int limit) {
        return keys(cluster, by, node, txn -> by.scanDown(txn, cluster.table(0), from, to, limit));
    }

    private static List<Long> keys(TestCluster cluster, ScanKeys by, int node, Function<Transaction, Scan> scanned) {
        List<Long> keys = new ArrayList<>();
        cluster.commit(node, executing(txn -> {
            keys.clear();
            Scan scan = scanned.apply(txn);
            for (int i = 0; i < scan.size(); i++) {
                assertThat(scan.access(i).getLong(VALUE)).isEqualTo(by.key(scan, i));
                keys.add(by.key(scan, i));
            }
        }));
        return keys;
    }

    private static Access insert(ScanKeys by, Transaction txn, Table table, long key) {
        Access access = by.insert(txn, table, key);
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
        for (ScanKeys by : ScanKeys.values()) {
            scanAllAndOnlyCommittedKeys(code, by);
        }
    }

    private void scanAllAndOnlyCommittedKeys(HybridCode code, ScanKeys by) {
        long[] loaded = LongStream.range(0, 40).map(i -> 10 * i).toArray();
        try (TestCluster cluster = start(config(code, by.schema()), by, LongStream.of(loaded), ScanContract::value)) {
            Table table = cluster.table(0);
            cluster.commit(0, executing(txn -> insert(by, txn, table, 15)));
            cluster.commit(1, executing(txn -> by.delete(txn, table, 20)));
            cluster.commit(2, executing(txn -> insert(by, txn, table, Long.MIN_VALUE)));
            assertThat(cluster.run(1, executing(txn -> {
                        insert(by, txn, table, 16);
                        by.delete(txn, table, 30);
                        assertThat(by.scan(txn, table, 15, 31, 9).size()).isEqualTo(2);
                        txn.abort();
                    })))
                    .isEqualTo(Result.aborted(AbortReason.USER_ABORT));
            for (int node = 0; node < 3; node++) {
                assertThat(keys(cluster, by, node, 5, 50, 9)).containsExactly(10L, 15L, 30L, 40L);
                assertThat(keys(cluster, by, node, 10, 31, 2)).containsExactly(10L, 15L);
                assertThat(keys(cluster, by, node, Long.MIN_VALUE, 1, 9)).containsExactly(Long.MIN_VALUE, 0L);
                List<Long> all = keys(cluster, by, node, Long.MIN_VALUE, Long.MAX_VALUE, EVERYTHING);
                assertThat(all).hasSize(41).isSorted();
                assertThat(keysDown(cluster, by, node, Long.MIN_VALUE, Long.MAX_VALUE, EVERYTHING))
                        .isEqualTo(all.reversed());
                assertThat(keysDown(cluster, by, node, 5, 50, 9)).containsExactly(40L, 30L, 15L, 10L);
                assertThat(keysDown(cluster, by, node, 10, 31, 2)).containsExactly(30L, 15L);
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldInsertWhereItScanned(HybridCode code) {
        for (ScanKeys by : ScanKeys.values()) {
            insertWhereItScanned(code, by);
        }
    }

    private void insertWhereItScanned(HybridCode code, ScanKeys by) {
        try (TestCluster cluster = start(config(code, by.schema()), by, LongStream.of(1, 2, 3), ScanContract::value)) {
            Table table = cluster.table(0);
            cluster.commit(0, executing(txn -> {
                Scan scan = by.scan(txn, table, 0, 100, 100);
                insert(by, txn, table, by.key(scan, scan.size() - 1) + 1);
            }));
            assertThat(keys(cluster, by, 1, 0, 100, 100)).containsExactly(1L, 2L, 3L, 4L);
            cluster.assertAtRest();
        }
    }

    // Goal: a transaction within one prefix sends requests to one node.
    @ForEveryCode
    void shouldAskOneNodeWithinAPrefix(HybridCode code) {
        long groups = 6;
        long each = 1L << Byte.SIZE;
        TableSchema schema = ScanKeys.NUMBERS.schema().modulo(Long.BYTES - 1);
        try (TestCluster cluster = start(
                config(code, schema).withMemory(64 * 1024, 256 * 1024, 1024),
                ScanKeys.NUMBERS,
                LongStream.range(0, groups)
                        .flatMap(group -> LongStream.range(0, 12).map(i -> group * each + 2 * i)),
                ScanContract::value)) {
            Table table = cluster.table(0);
            assertThat(keys(cluster, ScanKeys.NUMBERS, 0, 0, groups * each, EVERYTHING))
                    .as("so that all leaves are known")
                    .hasSize(72);
            for (long group = 0; group < groups; group++) {
                long first = group * each;
                Set<Integer> nodes = new HashSet<>();
                cluster.commit(0, executing(txn -> {
                    nodes.clear();
                    insert(ScanKeys.NUMBERS, txn, table, first + 13);
                    assertThat(ScanKeys.NUMBERS
                                    .scan(txn, table, first, first + each, EVERYTHING)
                                    .size())
                            .isEqualTo(13);
                    for (int i = 0; i < txn.size(); i++) {
                        nodes.add(txn.access(i).node());
                    }
                }));
                assertThat(nodes).as("nodes asked for prefix %d", group).hasSize(1);
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldEmptyARangeAndFillItAgain(HybridCode code) {
        for (ScanKeys by : ScanKeys.values()) {
            emptyARangeAndFillItAgain(code, by);
        }
    }

    private void emptyARangeAndFillItAgain(HybridCode code, ScanKeys by) {
        long[] loaded = LongStream.range(0, 60).toArray();
        ClusterConfig roomy = config(code, by.schema()).withMemory(64 * 1024, 256 * 1024, 1024);
        try (TestCluster cluster = start(roomy, by, LongStream.of(loaded), ScanContract::value)) {
            Table table = cluster.table(0);
            cluster.commit(1, executing(txn -> by.scan(txn, table, 5, 55, EVERYTHING, Intent.DELETE)));
            assertThat(keys(cluster, by, 0, 0, 60, EVERYTHING)).hasSize(10);
            cluster.assertAtRest();
            cluster.commit(2, executing(txn -> {
                for (long key = 5; key < 55; key++) {
                    insert(by, txn, table, key);
                }
            }));
            assertThat(keys(cluster, by, 0, 0, 60, EVERYTHING)).hasSize(60);
            cluster.assertAtRest();
        }
    }

    // ---- at the same time

    // Each inserts a key on its side if the scan finds the other side empty. If the scan missed an insert,
    // both sides would get one: write skew by a phantom.
    @ForEveryCode
    void shouldNotMissAKeyInsertedIntoAScannedRange(HybridCode code) {
        for (ScanKeys by : ScanKeys.values()) {
            notMissAKeyThatComesIntoAScannedRange(code, by);
        }
    }

    private void notMissAKeyThatComesIntoAScannedRange(HybridCode code, ScanKeys by) {
        int rounds = rounds(8);
        HistoryCollector collector = new HistoryCollector();
        try (TestCluster cluster = start(busy(code, by).withHistory(collector))) {
            Table table = cluster.table(0);
            AtomicInteger sides = new AtomicInteger();
            cluster.everywhere((runner, self) -> {
                int side = sides.getAndIncrement() & 1;
                for (int round = 0; round < rounds; round++) {
                    long mine = round * 100L + side * 50L;
                    long others = round * 100L + (1 - side) * 50L;
                    long key = mine + self.worker().random(50);
                    boolean descends = round % 2 == 1;
                    commit(runner, txn -> {
                        if (by.scan(txn, table, others, others + 50, 1, descends)
                                        .size()
                                == 0) {
                            insert(by, txn, table, key);
                        }
                    });
                }
            });
            cluster.assertAtRest();
            for (int round = 0; round < rounds; round++) {
                boolean left = !keys(cluster, by, 0, round * 100L, round * 100L + 50, 1)
                        .isEmpty();
                boolean right = !keys(cluster, by, 0, round * 100L + 50, round * 100L + 100, 1)
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
        for (ScanKeys by : ScanKeys.values()) {
            seeEachMovingTokenOnce(code, by);
        }
    }

    private void seeEachMovingTokenOnce(HybridCode code, ScanKeys by) {
        int tokens = 16;
        int places = 64;
        HistoryCollector collector = new HistoryCollector();
        try (TestCluster cluster = start(
                busy(code, by).withHistory(collector),
                by,
                LongStream.range(0, tokens).map(i -> 4 * i),
                key -> value(1L << (key / 4)))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < rounds(6); i++) {
                    long from = self.worker().random(places);
                    long to = self.worker().random(places);
                    if (i % 4 == 3) {
                        long[] sum = new long[1];
                        boolean descends = i % 8 == 7;
                        commit(runner, txn -> sum[0] = sum(by.scan(txn, table, 0, places, EVERYTHING, descends)));
                        assertThat(sum[0]).as("tokens in %s", cluster).isEqualTo((1L << tokens) - 1);
                    } else {
                        commit(runner, txn -> move(by, txn, table, from, to));
                    }
                }
            });
            cluster.assertAtRest();
            assertThat(Checker.check(collector.history(), Model.SERIALIZABLE).findings())
                    .isEmpty();
        }
    }

    /** Moves the first token from {@code from} on to {@code to}, if there is one and the place is free. */
    private static void move(ScanKeys by, Transaction txn, Table table, long from, long to) {
        Access place = by.insert(txn, table, to);
        txn.fetch();
        if (place.exists()) {
            return;
        }
        place.putLong(VALUE, 0);
        Scan found =
                by.scan(txn, table, from == to ? from + 1 : from, to > from ? to : Long.MAX_VALUE, 1, Intent.DELETE);
        if (found.size() == 1) {
            place.putLong(VALUE, found.access(0).getLong(VALUE));
        } // or else the new place stays, worth nothing
    }

    @ForEveryCode
    void shouldLoseNoKeyWhileLeavesSplitAndMerge(HybridCode code) {
        for (ScanKeys by : ScanKeys.values()) {
            loseNoKeyWhileLeavesComeAndGo(code, by, by.schema(), Math.max(8, 4 * rounds(4))); // leaves must split
        }
    }

    // Each key is alone with its prefix, so that neighbours seldom have a leaf in common: leaves come and go with their
    // keys.
    @ForEveryCode
    void shouldLoseNoKeyWhileLeavesFollowTheirPrefix(HybridCode code) {
        int each = 2 * rounds(4);
        loseNoKeyWhileLeavesComeAndGo(
                code, ScanKeys.NUMBERS, ScanKeys.NUMBERS.schema().modulo(Long.BYTES), each);
        TableSchema strings = ScanKeys.STRINGS.schema();
        loseNoKeyWhileLeavesComeAndGo(code, ScanKeys.STRINGS, strings.placedBy(strings.keyBytes()), each);
    }

    /** Each coroutine inserts {@code each} keys, and deletes three of four. */
    private void loseNoKeyWhileLeavesComeAndGo(HybridCode code, ScanKeys by, TableSchema schema, int each) {
        try (TestCluster cluster = start(busy(code, schema))) {
            Table table = cluster.table(0);
            int clients = 3 * 2 * 2;
            AtomicInteger numbers = new AtomicInteger();
            cluster.everywhere((runner, self) -> {
                int number = numbers.getAndIncrement();
                for (int i = 0; i < each; i++) {
                    long key = (long) i * clients + number;
                    commit(runner, txn -> insert(by, txn, table, key));
                }
                for (int i = 0; i < each; i++) {
                    if (i % 4 != 0) {
                        long key = (long) i * clients + number;
                        commit(runner, txn -> by.delete(txn, table, key));
                    }
                }
            });
            cluster.assertAtRest();
            List<Long> expected = new ArrayList<>();
            for (long i = 0; i < each; i += 4) {
                LongStream.range(i * clients, (i + 1) * clients).forEach(expected::add);
            }
            assertThat(keys(cluster, by, 1, Long.MIN_VALUE, Long.MAX_VALUE, EVERYTHING))
                    .as("keys in %s", cluster)
                    .isEqualTo(expected);
        }
    }

    @ForEveryCode
    void shouldLoseNoUpdateOfAScannedRange(HybridCode code) {
        for (ScanKeys by : ScanKeys.values()) {
            loseNoUpdateOfAScannedRange(code, by);
        }
    }

    private void loseNoUpdateOfAScannedRange(HybridCode code, ScanKeys by) {
        AtomicLong updates = new AtomicLong();
        try (TestCluster cluster = start(busy(code, by), by, LongStream.range(0, 40), key -> value(0))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < rounds(4); i++) {
                    long from = self.worker().random(40);
                    int[] size = new int[1];
                    commit(runner, txn -> {
                        Scan scan = by.scan(txn, table, from, from + 6, 5, Intent.UPDATE);
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
            cluster.commit(0, executing(txn -> sum[0] = sum(by.scan(txn, table, 0, 40, EVERYTHING))));
            assertThat(sum[0]).as("updates in %s", cluster).isEqualTo(updates.get());
        }
    }

    // Any operations of transactions on ranges and keys, in any order.
    @ForEveryCode
    void shouldBeSerializableWithScans(HybridCode code) {
        for (ScanKeys by : ScanKeys.values()) {
            beSerializableWithScans(code, by, by.schema());
        }
    }

    @ForEveryCode
    void shouldBeSerializableWithScansOfPrefixes(HybridCode code) {
        TableSchema strings = ScanKeys.STRINGS.schema();
        beSerializableWithScans(code, ScanKeys.STRINGS, strings.placedBy(strings.keyBytes()));
        beSerializableWithScans(
                code, ScanKeys.NUMBERS, ScanKeys.NUMBERS.schema().placedBy(Long.BYTES));
    }

    private void beSerializableWithScans(HybridCode code, ScanKeys by, TableSchema schema) {
        int keys = 60;
        int each = Math.max(4, rounds(10));
        HistoryCollector collector = new HistoryCollector();
        try (TestCluster cluster = start(
                busy(code, schema).withHistory(collector),
                by,
                LongStream.range(0, keys / 2).map(i -> 2 * i),
                ScanContract::value)) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < each; i++) {
                    long from = self.worker().random(keys);
                    long key = self.worker().random(keys);
                    boolean deletes = self.worker().random(2) == 0;
                    boolean descends = i % 2 == 1;
                    commit(runner, txn -> {
                        Scan scan = by.scan(txn, table, from, from + 10, 5, descends);
                        boolean seen = false;
                        for (int k = 0; k < scan.size(); k++) {
                            seen |= by.key(scan, k) == key;
                        }
                        if (!seen && deletes) {
                            by.delete(txn, table, key);
                        } else if (!seen) {
                            insert(by, txn, table, key);
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
