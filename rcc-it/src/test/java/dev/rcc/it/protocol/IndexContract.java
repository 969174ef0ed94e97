package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.IndexSchema.Part;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.KeyParts;
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
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;

/**
 * Secondary indexes have the entries of their base's records at any time, whichever transaction changes these, and a find keeps other transactions
 * from changing the records that it has found. A record has a group and a name; one index is by groups, the other is unique by names. Leaves are
 * small, so that they split and merge.
 */
abstract class IndexContract extends ProtocolContract {
    private static final int GROUP = VALUE;
    private static final int NAME = 8;
    private static final int RECORD_BYTES = 16;
    private static final int BASE = 0;
    private static final int BY_GROUP = 1;
    private static final int BY_NAME = 2;
    private static final int EVERYTHING = 10_000;

    private static TableSchema[] tables() {
        TableSchema base = TableSchema.ofLongKeys(BASE, "people", RECORD_BYTES, 200);
        TableSchema byGroup = TableSchema.index(BY_GROUP, "by_group", base, false, List.of(Part.ofLong(GROUP)));
        TableSchema byName = TableSchema.index(BY_NAME, "by_name", base, true, List.of(Part.ofLong(NAME)));
        return new TableSchema[] {base, small(byGroup), small(byName)};
    }

    private static TableSchema small(TableSchema index) {
        return index.ordered(IndexNodeLayout.minNodeBytes(KeyKind.BYTES, index.keyBytes()));
    }

    private ClusterConfig idle(HybridCode code) {
        return config(code, tables()).withMemory(64 * 1024, 64 * 1024, 1024);
    }

    /** Three nodes of two workers with two coroutines. */
    private ClusterConfig busy(HybridCode code) {
        return idle(code).withShape(3, 2, 2, 3);
    }

    /** Starts with so many records, whose group is the rest of the key by {@code groups}, and whose name is the key. */
    private TestCluster start(ClusterConfig config, int records, int groups) {
        return start(config, cluster -> {
            for (long key = 0; key < records; key++) {
                long number = key;
                cluster.loader.load(cluster.table(BASE), key, record -> {
                    record.putLong(GROUP, number % groups);
                    record.putLong(NAME, number);
                });
            }
        });
    }

    private static Procedure executing(Consumer<Transaction> body) {
        return procedure(txn -> null, (txn, nothing) -> body.accept(txn));
    }

    private static void commit(TransactionRunner runner, Consumer<Transaction> body) {
        assertThat(runner.run(executing(body)))
                .as("%s", runner.transaction().abortReason())
                .isEqualTo(Outcome.COMMITTED);
    }

    private static byte[] of(long number) {
        byte[] prefix = new byte[Long.BYTES];
        KeyParts.putLong(prefix, 0, number);
        return prefix;
    }

    private static void insert(TestCluster cluster, Transaction txn, long key, long group, long name) {
        Access access = txn.insert(cluster.table(BASE), key);
        txn.fetch();
        if (!access.exists()) {
            access.putLong(GROUP, group);
            access.putLong(NAME, name);
        }
    }

    private static Scan inGroup(TestCluster cluster, Transaction txn, long group, int limit, Intent intent) {
        Scan found = txn.findPrefix(cluster.table(BY_GROUP), of(group), limit, intent);
        for (int i = 0; i < found.size(); i++) {
            assertThat(found.access(i).getLong(GROUP)).isEqualTo(group);
        }
        return found;
    }

    private static List<Long> keys(Scan scan) {
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < scan.size(); i++) {
            keys.add(scan.key(i));
        }
        return keys;
    }

    private static List<Long> inGroup(TestCluster cluster, int node, long group) {
        List<Long> keys = new ArrayList<>();
        cluster.commit(node, executing(txn -> {
            keys.clear();
            keys.addAll(keys(inGroup(cluster, txn, group, EVERYTHING, Intent.READ)));
        }));
        return keys;
    }

    private static void assertSerializable(HistoryCollector collector, TestCluster cluster) {
        assertThat(Checker.check(collector.history(), Model.SERIALIZABLE).findings())
                .as("history of %s", cluster)
                .isEmpty();
    }

    // ---- one after the other

    @ForEveryCode
    void shouldFindCommittedRecordsAndOwnChanges(HybridCode code) {
        try (TestCluster cluster = start(idle(code), 12, 3)) {
            cluster.commit(0, executing(txn -> insert(cluster, txn, 20, 1, 20)));
            cluster.commit(1, delete(cluster.table(BASE), 4));
            cluster.commit(2, write(cluster.table(BASE), 7, 2));
            cluster.commit(0, procedure(txn -> txn.write(cluster.table(BASE), 0), (txn, access) -> {
                access.putLong(GROUP, -1);
                access.putLong(NAME, 100);
            }));
            assertThat(cluster.run(1, executing(txn -> {
                        insert(cluster, txn, 21, 1, 21);
                        assertThat(keys(inGroup(cluster, txn, 1, 9, Intent.READ)))
                                .containsExactly(1L, 10L, 20L, 21L);
                        txn.abort();
                    })))
                    .isEqualTo(Result.aborted(AbortReason.USER_ABORT));
            for (int node = 0; node < 3; node++) {
                assertThat(inGroup(cluster, node, 1)).containsExactly(1L, 10L, 20L);
                assertThat(inGroup(cluster, node, 2)).containsExactly(2L, 5L, 7L, 8L, 11L);
                assertThat(inGroup(cluster, node, -1)).containsExactly(0L);
                cluster.commit(node, executing(txn -> {
                    assertThat(keys(txn.findPrefix(cluster.table(BY_NAME), of(100), 9, Intent.READ)))
                            .containsExactly(0L);
                    assertThat(keys(txn.findDownFrom(cluster.table(BY_NAME), of(9), 3, Intent.READ)))
                            .containsExactly(0L, 20L, 11L);
                }));
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldUpdateAndDeleteFoundRecords(HybridCode code) {
        try (TestCluster cluster = start(idle(code), 20, 2)) {
            cluster.commit(0, executing(txn -> {
                Scan found = inGroup(cluster, txn, 0, 4, Intent.UPDATE);
                for (int i = 0; i < found.size(); i++) {
                    found.access(i).putLong(GROUP, 5);
                }
                assertThat(inGroup(cluster, txn, 5, 9, Intent.READ).size()).isEqualTo(4);
            }));
            assertThat(inGroup(cluster, 1, 5)).containsExactly(0L, 2L, 4L, 6L);
            cluster.commit(2, executing(txn -> inGroup(cluster, txn, 5, 3, Intent.DELETE)));
            assertThat(inGroup(cluster, 1, 5)).containsExactly(6L);
            cluster.commit(1, executing(txn -> {
                assertThat(inGroup(cluster, txn, 7, 1, Intent.READ).size()).isZero();
                insert(cluster, txn, 30, 7, 30);
            }));
            assertThat(inGroup(cluster, 0, 7)).containsExactly(30L);
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldRefuseASecondRecordWithAUniqueKey(HybridCode code) {
        try (TestCluster cluster = start(idle(code), 4, 1)) {
            assertThat(cluster.run(0, executing(txn -> insert(cluster, txn, 10, 0, 3))))
                    .isEqualTo(Result.aborted(AbortReason.DUPLICATE_KEY));
            assertThat(cluster.run(
                            1,
                            procedure(
                                    txn -> txn.update(cluster.table(BASE), 1),
                                    (txn, access) -> access.putLong(NAME, 2))))
                    .isEqualTo(Result.aborted(AbortReason.DUPLICATE_KEY));
            assertThat(cluster.metrics().aborts(AbortReason.DUPLICATE_KEY)).isEqualTo(2);
            assertThat(inGroup(cluster, 2, 0)).containsExactly(0L, 1L, 2L, 3L);
            cluster.assertAtRest();
        }
    }

    // ---- at the same time

    // All coroutines want each name, which no record has: one gets it, and the others are refused as
    // duplicates and for no other reason.
    @ForEveryCode
    void shouldLetExactlyOneTransactionInsertEachUniqueKey(HybridCode code) {
        int names = rounds(8);
        AtomicIntegerArray given = new AtomicIntegerArray(names);
        AtomicInteger numbers = new AtomicInteger();
        try (TestCluster cluster = start(busy(code))) {
            cluster.everywhere((runner, self) -> {
                long client = numbers.getAndIncrement();
                for (int name = 0; name < names; name++) {
                    long key = client * names + name;
                    int wanted = name;
                    Outcome outcome = runner.run(executing(txn -> insert(cluster, txn, key, client, wanted)));
                    if (outcome == Outcome.COMMITTED) {
                        given.incrementAndGet(name);
                    } else {
                        assertThat(runner.transaction().abortReason()).isEqualTo(AbortReason.DUPLICATE_KEY);
                    }
                }
            });
            cluster.assertAtRest();
            for (int name = 0; name < names; name++) {
                assertThat(given.get(name))
                        .as("records with name %d in %s", name, cluster)
                        .isEqualTo(1);
            }
        }
    }

    // Each puts a record into its group if it finds the other group empty. If the find missed a new entry,
    // both groups would get one: write skew by a phantom. The record is moved from where it was, or is new.
    @ForEveryCode
    void shouldNotMissARecordInsertedIntoAGroup(HybridCode code) {
        int rounds = rounds(8);
        HistoryCollector collector = new HistoryCollector();
        try (TestCluster cluster = start(busy(code).withHistory(collector), 12, 1)) {
            AtomicInteger numbers = new AtomicInteger();
            cluster.everywhere((runner, self) -> {
                int number = numbers.getAndIncrement();
                int side = number & 1;
                for (int round = 0; round < rounds; round++) {
                    long mine = 10 + 2L * round + side;
                    long others = 10 + 2L * round + 1 - side;
                    boolean isNew = self.worker().random(2) == 0;
                    long key = 100 + (long) number * rounds + round;
                    commit(runner, txn -> {
                        if (inGroup(cluster, txn, others, 1, Intent.READ).size() > 0) {
                            return;
                        }
                        if (isNew) {
                            insert(cluster, txn, key, mine, key);
                        } else {
                            Access access = txn.update(cluster.table(BASE), number);
                            txn.fetch();
                            access.putLong(GROUP, mine);
                        }
                    });
                    commit(
                            runner,
                            txn -> { // those that were moved have left the group when the next round begins
                                Access access = txn.read(cluster.table(BASE), number);
                                txn.fetch();
                                long group = access.getLong(GROUP);
                                if (group == mine) {
                                    insert(cluster, txn, key, mine, key);
                                }
                            });
                }
            });
            cluster.assertAtRest();
            for (int round = 0; round < rounds; round++) {
                boolean left = !inGroup(cluster, 0, 10 + 2L * round).isEmpty();
                boolean right = !inGroup(cluster, 0, 11 + 2L * round).isEmpty();
                assertThat(left ^ right)
                        .as("one side of round %d in %s", round, cluster)
                        .isTrue();
            }
            assertSerializable(collector, cluster);
        }
    }

    // Records move between groups and exchange their names, while audits find each exactly once by either index.
    @ForEveryCode
    void shouldFindEachMovingRecordOnce(HybridCode code) {
        int records = 16;
        int groups = 4;
        HistoryCollector collector = new HistoryCollector();
        try (TestCluster cluster = start(busy(code).withHistory(collector), records, groups)) {
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < rounds(6); i++) {
                    long one = self.worker().random(records);
                    long other = (one + 1 + self.worker().random(records - 1)) % records;
                    long group = self.worker().random(groups);
                    switch (i % 3) {
                        case 0 -> audit(cluster, runner, records, i % 2 == 0 ? BY_GROUP : BY_NAME);
                        case 1 -> commit(runner, txn -> exchangeNames(cluster, txn, one, other));
                        default -> commit(runner, txn -> moveOne(cluster, txn, group, (group + 1) % groups));
                    }
                }
            });
            cluster.assertAtRest();
            audit(cluster, records);
            assertSerializable(collector, cluster);
        }
    }

    private static void exchangeNames(TestCluster cluster, Transaction txn, long one, long other) {
        Access first = txn.update(cluster.table(BASE), one);
        Access second = txn.update(cluster.table(BASE), other);
        txn.fetch();
        long name = first.getLong(NAME);
        first.putLong(NAME, second.getLong(NAME));
        second.putLong(NAME, name);
    }

    private static void moveOne(TestCluster cluster, Transaction txn, long from, long to) {
        Scan found = inGroup(cluster, txn, from, 1, Intent.UPDATE);
        if (found.size() == 1) {
            found.access(0).putLong(GROUP, to);
        }
    }

    private static void audit(TestCluster cluster, TransactionRunner runner, int records, int index) {
        Set<Long> keys = new HashSet<>();
        Set<Long> names = new HashSet<>();
        commit(runner, txn -> {
            keys.clear();
            names.clear();
            Scan found = txn.findFrom(cluster.table(index), new byte[0], EVERYTHING, Intent.READ);
            for (int i = 0; i < found.size(); i++) {
                keys.add(found.key(i));
                names.add(found.access(i).getLong(NAME));
            }
            assertThat(found.size()).isEqualTo(records);
        });
        assertThat(keys).as("keys in %s", cluster).hasSize(records);
        assertThat(names).as("names in %s", cluster).hasSize(records);
    }

    private static void audit(TestCluster cluster, int records) {
        cluster.commit(0, executing(txn -> {
            for (int index : new int[] {BY_GROUP, BY_NAME}) {
                Scan found = txn.findFrom(cluster.table(index), new byte[0], EVERYTHING, Intent.READ);
                assertThat(new HashSet<>(keys(found))).hasSize(records);
            }
        }));
    }
}
