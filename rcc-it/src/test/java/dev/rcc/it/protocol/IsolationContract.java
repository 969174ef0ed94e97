package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Worker;
import dev.rcc.server.config.ClusterConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Concurrent transactions end as if they had run one after the other. Real threads, several nodes, workers and coroutines,
 * and few keys, so that almost everything conflicts.
 */
abstract class IsolationContract extends ProtocolContract {
    /** Small: leaves and slots are shared by many keys. */
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 16, 1);
    /** The place of the key in a record. */
    private static final int KEY = 8;

    private static final int INTENTS = Intent.values().length;

    /** Three nodes of two workers with three coroutines. */
    private ClusterConfig busy(HybridCode code) {
        return config(code, SCHEMA).withShape(3, 2, 3, 3);
    }

    private static Consumer<TestCluster> loading(int keys, long value) {
        return cluster -> LongStream.range(0, keys)
                .forEach(key -> cluster.loader.load(cluster.table(0), key, memory -> {
                    memory.putLong(VALUE, value);
                    memory.putLong(KEY, key);
                }));
    }

    private static void commit(TransactionRunner runner, Procedure procedure) {
        assertThat(runner.run(procedure))
                .as(() -> "the last attempt's reason: " + runner.transaction().abortReason())
                .isEqualTo(Outcome.COMMITTED);
    }

    @ForEveryCode
    void shouldLoseNoUpdate(HybridCode code) {
        int keys = 4;
        AtomicIntegerArray increments = new AtomicIntegerArray(keys);
        try (TestCluster cluster = start(busy(code), loading(keys, 0))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < rounds(15); i++) {
                    int first = self.worker().random(keys);
                    int second = (first + 1 + self.worker().random(keys - 1)) % keys;
                    commit(
                            runner,
                            procedure(
                                    txn -> List.of(txn.update(table, first), txn.update(table, second)),
                                    (txn, accesses) -> accesses.forEach(a -> a.putLong(VALUE, a.getLong(VALUE) + 1))));
                    increments.incrementAndGet(first);
                    increments.incrementAndGet(second);
                }
            });
            cluster.assertAtRest();
            for (int key = 0; key < keys; key++) {
                assertThat(cluster.read(0, table, key)).isEqualTo(increments.get(key));
            }
        }
    }

    // Money moves between accounts while audits add all of them up; an audit that commits has seen the whole sum.
    @ForEveryCode
    void shouldShowEveryAuditTheWholeSum(HybridCode code) {
        int keys = 8;
        long sum = keys * 100L;
        try (TestCluster cluster = start(busy(code), loading(keys, 100))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < rounds(20); i++) {
                    if (i % 4 == 0) {
                        assertThat(auditedSum(runner, table, keys)).isEqualTo(sum);
                    } else {
                        long from = self.worker().random(keys);
                        long to = (from + 1 + self.worker().random(keys - 1)) % keys;
                        commit(runner, transfer(table, from, to, self.worker().random(50)));
                    }
                }
            });
            cluster.assertAtRest();
            assertThat(LongStream.range(0, keys)
                            .map(key -> cluster.read(1, table, key))
                            .sum())
                    .isEqualTo(sum);
        }
    }

    private static long auditedSum(TransactionRunner runner, Table table, int keys) {
        long[] sum = new long[1];
        commit(
                runner,
                procedure(
                        txn -> LongStream.range(0, keys)
                                .mapToObj(key -> txn.read(table, key))
                                .toList(),
                        (txn, accesses) -> sum[0] = accesses.stream()
                                .mapToLong(a -> a.getLong(VALUE))
                                .sum()));
        return sum[0];
    }

    private static Procedure transfer(Table table, long from, long to, long amount) {
        return procedure(txn -> List.of(txn.update(table, from), txn.update(table, to)), (txn, accesses) -> {
            accesses.get(0).putLong(VALUE, accesses.get(0).getLong(VALUE) - amount);
            accesses.get(1).putLong(VALUE, accesses.get(1).getLong(VALUE) + amount);
        });
    }

    // Of each pair at least one stays on duty: a transaction that wants to leave reads both, and writes only
    // its own key.
    @ForEveryCode
    void shouldNotAllowWriteSkew(HybridCode code) {
        int keys = 6;
        AtomicInteger left = new AtomicInteger();
        try (TestCluster cluster = start(busy(code), loading(keys, 1))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                long[] onDuty = new long[1];
                for (int i = 0; i < rounds(20); i++) {
                    long mine = self.worker().random(keys);
                    long other = mine ^ 1;
                    commit(
                            runner,
                            procedure(
                                    txn -> List.of(txn.update(table, mine), txn.read(table, other)),
                                    (txn, accesses) -> {
                                        onDuty[0] = accesses.get(0).getLong(VALUE)
                                                + accesses.get(1).getLong(VALUE);
                                        accesses.get(0).putLong(VALUE, onDuty[0] == 2 ? 0 : 1);
                                    }));
                    assertThat(onDuty[0])
                            .as("on duty of %s and %s", mine, other)
                            .isBetween(1L, 2L);
                    left.addAndGet(onDuty[0] == 2 ? 1 : 0);
                }
            });
            assertThat(left.get()).isPositive();
            cluster.assertAtRest();
        }
    }

    // The same, but no transaction reads the key that it writes: only the other key shows it that it is the
    // last one on duty.
    @ForEveryCode
    void shouldNotAllowWriteSkewOfBlindWrites(HybridCode code) {
        int keys = 6;
        AtomicInteger left = new AtomicInteger();
        try (TestCluster cluster = start(busy(code), loading(keys, 1))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                long[] onDuty = new long[2];
                for (int i = 0; i < rounds(20); i++) {
                    long mine = self.worker().random(keys);
                    long other = mine ^ 1;
                    commit(
                            runner,
                            procedure(
                                    txn -> List.of(txn.write(table, mine), txn.read(table, other)), (txn, accesses) -> {
                                        onDuty[0] = accesses.get(1).getLong(VALUE);
                                        accesses.get(0).putLong(VALUE, 1 - onDuty[0]);
                                    }));
                    left.addAndGet(onDuty[0] == 1 ? 1 : 0);
                    commit(
                            runner,
                            procedure(
                                    txn -> List.of(txn.read(table, mine), txn.read(table, other)),
                                    (txn, accesses) ->
                                            onDuty[1] = accesses.get(0).getLong(VALUE)
                                                    + accesses.get(1).getLong(VALUE)));
                    assertThat(onDuty[1])
                            .as("on duty of %s and %s", mine, other)
                            .isBetween(1L, 2L);
                }
            });
            assertThat(left.get()).isPositive();
            cluster.assertAtRest();
        }
    }

    // Pairs are written as a whole by transactions that have not read them, so that they are always equal.
    @ForEveryCode
    void shouldMakeBlindWritesVisibleAtomically(HybridCode code) {
        int keys = 4;
        try (TestCluster cluster = start(busy(code), loading(keys, 1))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                long[] seen = new long[2];
                for (int i = 0; i < rounds(20); i++) {
                    long even = self.worker().random(keys) & -2;
                    commit(
                            runner,
                            procedure(
                                    txn -> List.of(txn.write(table, even), txn.write(table, even + 1)),
                                    (txn, accesses) -> accesses.forEach(access -> access.putLong(VALUE, txn.id()))));
                    commit(
                            runner,
                            procedure(
                                    txn -> List.of(txn.read(table, even), txn.read(table, even + 1)),
                                    (txn, accesses) -> {
                                        seen[0] = accesses.get(0).getLong(VALUE);
                                        seen[1] = accesses.get(1).getLong(VALUE);
                                    }));
                    assertThat(seen[0]).as("the two of %s", even).isEqualTo(seen[1]);
                }
            });
            cluster.assertAtRest();
        }
    }

    // Every coroutine wants to be the first to insert each key: keys of one leaf, and of others.
    @ForEveryCode
    void shouldLetExactlyOneInsertAKey(HybridCode code) {
        int keys = 6 + rounds(18);
        AtomicIntegerArray winners = new AtomicIntegerArray(keys);
        try (TestCluster cluster = start(busy(code), loading(0, 0))) {
            Table table = cluster.table(0);
            long[] sameLeaf = keysOfOneLeaf(cluster, table, 1, 6);
            cluster.everywhere((runner, self) -> {
                boolean[] existed = new boolean[1];
                for (int i = 0; i < keys; i++) {
                    long key = i < sameLeaf.length ? sameLeaf[i] : 10_000 + i;
                    commit(runner, procedure(txn -> txn.insert(table, key), (txn, access) -> {
                        existed[0] = access.exists();
                        if (!existed[0]) {
                            access.putLong(KEY, key);
                        } else if (access.getLong(KEY) != key) {
                            throw new AssertionError("key " + key + " has the record of " + access.getLong(KEY));
                        }
                    }));
                    winners.addAndGet(i, existed[0] ? 0 : 1);
                }
            });
            cluster.assertAtRest();
            assertThat(IntStream.range(0, keys).map(winners::get)).containsOnly(1);
        }
    }

    // Of each pair at most one is ever inserted: a transaction that inserts one has seen that the other is
    // missing.
    @ForEveryCode
    void shouldNotInsertAKeyIfAnotherTransactionReliesOnItsAbsence(HybridCode code) {
        int pairs = rounds(20);
        try (TestCluster cluster = start(busy(code), loading(0, 0))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int pair = 0; pair < pairs; pair++) {
                    long mine = 2L * pair + self.worker().random(2);
                    commit(runner, procedure(txn -> txn.read(table, mine ^ 1), (txn, other) -> {
                        if (!other.exists()) {
                            txn.insert(table, mine);
                            txn.fetch();
                        }
                    }));
                }
            });
            cluster.assertAtRest();
            for (long pair = 0; pair < pairs; pair++) {
                boolean first = cluster.read(0, table, 2 * pair) != null;
                boolean second = cluster.read(0, table, 2 * pair + 1) != null;
                assertThat(first ^ second)
                        .as("pair %s: %s, %s", pair, first, second)
                        .isTrue();
            }
        }
    }

    // Keys come and go in groups; a transaction that reads a group sees all of it or nothing.
    @ForEveryCode
    void shouldShowGroupsOfKeysComeAndGoAtOnce(HybridCode code) {
        int groups = 3;
        int members = 3;
        try (TestCluster cluster = start(busy(code), loading(0, 0))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                List<Boolean> seen = new ArrayList<>();
                for (int i = 0; i < rounds(15); i++) {
                    long first = (long) self.worker().random(groups) * members;
                    int what = self.worker().random(3);
                    commit(
                            runner,
                            procedure(
                                    txn -> LongStream.range(first, first + members)
                                            .mapToObj(key -> what == 0
                                                    ? txn.insert(table, key)
                                                    : what == 1 ? txn.delete(table, key) : txn.read(table, key))
                                            .toList(),
                                    (txn, accesses) -> {
                                        seen.clear();
                                        accesses.forEach(access -> seen.add(access.exists()));
                                    }));
                    assertThat(seen.stream().distinct())
                            .as("group %s: %s", first, seen)
                            .hasSize(1);
                }
            });
            cluster.assertAtRest();
        }
    }

    // Goal: slots and leaves go from key to key, and addresses in the workers' caches are old more often than
    // not; no transaction ever meets another key's record, and the keys that exist are those that were
    // inserted and not deleted since.
    @ForEveryCode
    void shouldKeepKeysApartWhileTheirSlotsAreReused(HybridCode code) {
        int keys = 30;
        AtomicIntegerArray balance = new AtomicIntegerArray(keys);
        try (TestCluster cluster = start(busy(code), loading(0, 0))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < rounds(30); i++) {
                    churn(runner, self.worker(), table, balance);
                }
            });
            cluster.assertAtRest();
            for (int key = 0; key < keys; key++) {
                assertThat(balance.get(key))
                        .as("inserts less deletes of key %s", key)
                        .isBetween(0, 1);
                assertThat(cluster.read(2, table, key) != null)
                        .as("key %s", key)
                        .isEqualTo(balance.get(key) == 1);
            }
        }
    }

    /** Does something with two keys. */
    private static void churn(TransactionRunner runner, Worker worker, Table table, AtomicIntegerArray balance) {
        int first = worker.random(balance.length());
        int second = (first + 1 + worker.random(balance.length() - 1)) % balance.length();
        int what = worker.random(INTENTS * INTENTS);
        int[] change = new int[2];
        commit(
                runner,
                procedure(
                        txn -> List.of(
                                access(txn, table, first, what % INTENTS), access(txn, table, second, what / INTENTS)),
                        (txn, accesses) -> {
                            for (int i = 0; i < 2; i++) {
                                Access access = accesses.get(i);
                                long key = i == 0 ? first : second;
                                change[i] = 0;
                                if (access.exists() && access.intent() != Intent.WRITE && access.getLong(KEY) != key) {
                                    throw new AssertionError(
                                            "key " + key + " has the record of " + access.getLong(KEY));
                                }
                                switch (access.intent()) {
                                    case INSERT -> change[i] = access.exists() ? 0 : 1;
                                    case DELETE -> change[i] = access.exists() ? -1 : 0;
                                    default -> {}
                                }
                                if (change[i] == 1 || (access.intent() == Intent.WRITE && access.exists())) {
                                    access.putLong(KEY, key);
                                }
                            }
                        }));
        balance.addAndGet(first, change[0]);
        balance.addAndGet(second, change[1]);
    }

    private static Access access(Transaction txn, Table table, long key, int what) {
        return switch (what) {
            case 0 -> txn.read(table, key);
            case 1 -> txn.update(table, key);
            case 2 -> txn.insert(table, key);
            case 3 -> txn.delete(table, key);
            default -> txn.write(table, key);
        };
    }

    // Goal: whatever the operations of transactions, their history has no cycle. Method: up to four random
    // accesses each, some of them discovered late, on a few keys that exist and a few that come and go.
    @ForEveryCode
    void shouldMakeSerializableHistories(HybridCode code) {
        int keys = 12;
        HistoryCollector collector = new HistoryCollector();
        try (TestCluster cluster = start(busy(code).withHistory(collector), loading(keys / 2, 0))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < rounds(30); i++) {
                    int early = self.worker().random(3);
                    int late = 1 + self.worker().random(2);
                    int[] choices = IntStream.range(0, early + late)
                            .map(n -> self.worker().random(keys) * INTENTS
                                    + self.worker().random(INTENTS))
                            .toArray();
                    commit(
                            runner,
                            procedure(
                                    txn -> {
                                        touch(txn, table, choices, 0, early);
                                        return null;
                                    },
                                    (txn, nothing) -> {
                                        touch(txn, table, choices, early, choices.length);
                                        txn.fetch();
                                        for (int n = 0; n < txn.size(); n++) {
                                            Access access = txn.access(n);
                                            switch (access.intent()) {
                                                case UPDATE, WRITE -> {
                                                    if (access.exists()) {
                                                        access.putLong(VALUE, txn.id());
                                                    }
                                                }
                                                case INSERT, DELETE, READ -> {}
                                            }
                                        }
                                    }));
                }
            });
            cluster.assertAtRest();
            CheckResult checked = Checker.check(collector.history(), Model.SERIALIZABLE);
            assertThat(checked.isClean())
                    .as("history of %s: %s", cluster, checked)
                    .isTrue();
            assertThat(checked.transactions()).isEqualTo(3 * 2 * 3 * rounds(30));
        }
    }

    /** Declares accesses; a key that was declared before is left as it is. */
    private static void touch(Transaction txn, Table table, int[] choices, int from, int to) {
        for (int i = from; i < to; i++) {
            long key = choices[i] / INTENTS;
            if (IntStream.range(0, i).noneMatch(before(choices, key))) {
                access(txn, table, key, choices[i] % INTENTS);
            }
        }
    }

    private static IntPredicate before(int[] choices, long key) {
        return i -> choices[i] / INTENTS == key;
    }
}
