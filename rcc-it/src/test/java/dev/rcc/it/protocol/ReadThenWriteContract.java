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
import dev.rcc.server.config.ClusterConfig;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;

/**
 * A transaction may come to update or delete a record that it has read, and to insert a key that it has looked for in vain, in the same attempt or
 * in one that it does not notice.
 */
abstract class ReadThenWriteContract extends ProtocolContract {
    private static final TableSchema NUMBERS = TableSchema.ofLongKeys(0, "numbers", 16, 100);
    private static final TableSchema WORDS = TableSchema.ofByteKeys(1, "words", 10, 16, 100);

    private static byte[] word(long key) {
        return ("word " + key).getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether a read record is written in place. */
    private boolean upgradesInPlace() {
        return switch (protocol().name()) {
            case "occ", "mvcc", "sundial" -> true;
            default -> false;
        };
    }

    private static Procedure executing(BiConsumer<Transaction, Access> body, Table table, long key) {
        return procedure(txn -> txn.read(table, key), body);
    }

    // ---- one after the other

    @ForEveryCode
    void shouldWriteRecordsThatItHasRead(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS, WORDS), c -> {
            LongStream.range(0, 10).forEach(key -> c.loader.load(c.table(0), key, value(key)));
            LongStream.range(0, 10).forEach(key -> c.loader.load(c.table(1), word(key), value(key)));
        })) {
            Table numbers = cluster.table(0);
            Table words = cluster.table(1);
            cluster.commit(0, procedure(txn -> txn.read(numbers, 1), (txn, one) -> {
                Access two = txn.read(words, word(2));
                Access eleven = txn.update(numbers, 11);
                Access twelve = txn.read(words, word(12));
                Access four = txn.insert(numbers, 4);
                txn.fetch();
                assertThat(eleven.exists() || twelve.exists()).isFalse();
                long sum = one.getLong(VALUE) + two.getLong(VALUE) + four.getLong(VALUE);
                txn.update(numbers, 1).putLong(VALUE, 100 + sum);
                assertThat(txn.delete(words, word(2))).isSameAs(two);
                txn.insert(numbers, 11).putLong(VALUE, 111);
                txn.insert(words, word(12)).putLong(VALUE, 112);
                txn.update(numbers, 4).putLong(VALUE, 104);
            }));
            assertThat(cluster.metrics().aborts(AbortReason.UPGRADED) == 0)
                    .isEqualTo(upgradesInPlace() || protocol().name().equals("calvin"));
            cluster.commit(1, procedure(txn -> txn.read(numbers, 1), (txn, one) -> {
                Access two = txn.read(words, word(2));
                Access twelve = txn.read(words, word(12));
                Access four = txn.read(numbers, 4);
                Access eleven = txn.read(numbers, 11);
                txn.fetch();
                assertThat(one.getLong(VALUE)).isEqualTo(107);
                assertThat(two.exists()).isFalse();
                assertThat(four.getLong(VALUE)).isEqualTo(104);
                assertThat(eleven.getLong(VALUE)).isEqualTo(111);
                assertThat(twelve.getLong(VALUE)).isEqualTo(112);
            }));
            cluster.commit(2, executing((txn, access) -> txn.delete(numbers, 1), numbers, 1));
            assertThat(cluster.read(0, numbers, 1)).isNull();
            cluster.commit(2, executing((txn, access) -> txn.insert(numbers, 1).putLong(VALUE, 7), numbers, 1));
            assertThat(cluster.read(1, numbers, 1)).isEqualTo(7);
            cluster.assertAtRest();
        }
    }

    // A write without effect locks nothing: the read shows that there is, or is not, a record.
    @ForEveryCode
    void shouldNotRetryForAWriteWithoutEffect(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS), 1)) {
            Table table = cluster.table(0);
            cluster.commit(
                    0, procedure(txn -> new Access[] {txn.read(table, 1), txn.read(table, 2)}, (txn, accesses) -> {
                        assertThat(txn.insert(table, 1).exists()).isTrue();
                        assertThat(txn.update(table, 2).exists()).isFalse();
                        assertThat(txn.delete(table, 2).exists()).isFalse();
                    }));
            assertThat(cluster.metrics().attempted()).isEqualTo(1);
            assertThat(cluster.read(1, table, 1)).isEqualTo(1);
            assertThat(cluster.read(1, table, 2)).isNull();
            cluster.assertAtRest();
        }
    }

    // An attempt that runs again may decide otherwise, once it has the records that it wanted: then none of
    // these writes takes place, and nothing is left behind.
    @ForEveryCode
    void shouldDropWritesThatTheNextAttemptDoesNotRepeat(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS), 1, 2, 3)) {
            Table table = cluster.table(0);
            AtomicInteger runs = new AtomicInteger();
            cluster.commit(
                    0,
                    procedure(
                            txn -> new Access[] {txn.read(table, 1), txn.read(table, 2), txn.read(table, 9)},
                            (txn, accesses) -> {
                                assertThat(accesses[0].getLong(VALUE)).isEqualTo(1);
                                assertThat(accesses[1].getLong(VALUE)).isEqualTo(2);
                                assertThat(accesses[2].exists()).isFalse();
                                txn.update(table, 3);
                                txn.fetch();
                                if (runs.getAndIncrement() == 0) {
                                    txn.update(table, 1).putLong(VALUE, 100);
                                    txn.delete(table, 2);
                                    txn.insert(table, 9).putLong(VALUE, 100);
                                    txn.fetch(); // where the reads do not allow all this, the attempt ends here
                                }
                                txn.update(table, 3).putLong(VALUE, 103);
                            }));
            boolean isAgain = runs.get() > 1;
            assertThat(cluster.read(1, table, 1)).isEqualTo(isAgain ? 1 : 100);
            assertThat(cluster.read(1, table, 2)).isEqualTo(isAgain ? Long.valueOf(2) : null);
            assertThat(cluster.read(1, table, 9)).isEqualTo(isAgain ? null : Long.valueOf(100));
            assertThat(cluster.read(1, table, 3)).isEqualTo(103);
            assertThat(isAgain).isEqualTo(!upgradesInPlace());
            cluster.commit(1, insert(table, 9, 9));
            cluster.commit(1, delete(table, 2));
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldUpdateAndDeleteScannedRecords(HybridCode code) {
        for (ScanKeys by : ScanKeys.values()) {
            ClusterConfig roomy = config(code, by.schema()).withMemory(64 * 1024, 256 * 1024, 1024);
            try (TestCluster cluster = start(
                    roomy,
                    c -> LongStream.range(0, 40).forEach(key -> by.load(c.loader, c.table(0), key, value(key))))) {
                Table table = cluster.table(0);
                cluster.commit(0, procedure(txn -> null, (txn, nothing) -> {
                    Scan all = by.scan(txn, table, 0, 40, 100, Intent.READ);
                    assertThat(all.size()).isEqualTo(40);
                    for (int i = 0; i < 10; i++) {
                        by.update(txn, table, i).putLong(VALUE, all.access(i).getLong(VALUE) + 1);
                    }
                    by.delete(txn, table, 10);
                    by.delete(txn, table, 39);
                    Access last = by.insert(txn, table, 40);
                    txn.fetch();
                    last.putLong(VALUE, 40);
                }));
                cluster.commit(1, procedure(txn -> null, (txn, nothing) -> {
                    assertThat(by.scan(txn, table, 0, 20, 100, Intent.READ).size())
                            .isEqualTo(19);
                    Scan updated = by.scan(txn, table, 0, 10, 100, Intent.UPDATE);
                    for (int i = 0; i < 10; i++) {
                        assertThat(updated.access(i).getLong(VALUE)).isEqualTo(i + 1);
                        updated.access(i).putLong(VALUE, -i);
                    }
                    assertThat(by.scan(txn, table, 15, 30, 100, Intent.DELETE).size())
                            .isEqualTo(15);
                }));
                cluster.commit(2, procedure(txn -> null, (txn, nothing) -> {
                    Scan all = by.scan(txn, table, 0, 100, 100, Intent.READ);
                    assertThat(all.size()).isEqualTo(24); // of 0 to 40 without 10, 39 and 15 to 29
                    assertThat(all.access(9).getLong(VALUE)).isEqualTo(-9);
                    assertThat(by.key(all, 23)).isEqualTo(40);
                }));
                cluster.assertAtRest();
            }
        }
    }

    // ---- at the same time

    // Each looks first, and only then decides to count up, to begin to count or to stop. A transaction that
    // relies on a read which another one has changed since loses counts.
    @ForEveryCode
    void shouldLoseNoConcurrentWriteBetweenReadAndWrite(HybridCode code) {
        int keys = 3;
        AtomicLong counted = new AtomicLong();
        HistoryCollector collector = new HistoryCollector();
        ClusterConfig busy = config(code, NUMBERS).withShape(3, 2, 2, 3).withHistory(collector);
        try (TestCluster cluster = start(busy, 0)) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < rounds(12); i++) {
                    long key = self.worker().random(keys);
                    long other = (key + 1) % keys;
                    long[] added = new long[1];
                    Procedure count = procedure(txn -> txn.read(table, key), (txn, access) -> {
                        Access second = txn.read(table, other);
                        txn.fetch();
                        long carried = second.exists() && second.getLong(VALUE) % 3 == 0 ? second.getLong(VALUE) : 0;
                        added[0] = 1;
                        if (carried > 0) {
                            txn.delete(table, other);
                        }
                        if (access.exists()) {
                            long value = access.getLong(VALUE);
                            txn.update(table, key).putLong(VALUE, value + carried + 1);
                        } else {
                            txn.insert(table, key).putLong(VALUE, carried + 1);
                        }
                    });
                    assertThat(runner.run(count))
                            .as("%s", runner.transaction().abortReason())
                            .isEqualTo(Outcome.COMMITTED);
                    counted.addAndGet(added[0]);
                }
            });
            cluster.assertAtRest();
            long sum = 0;
            for (long key = 0; key < keys; key++) {
                Long value = cluster.read(0, table, key);
                sum += value == null ? 0 : value;
            }
            assertThat(sum).as("counts in %s", cluster).isEqualTo(counted.get());
            assertThat(Checker.check(collector.history(), Model.SERIALIZABLE).findings())
                    .as("history of %s", cluster)
                    .isEmpty();
        }
    }

    // The first record of a queue is taken out by transactions that have only looked for it.
    @ForEveryCode
    void shouldTakeEachScannedRecordOnce(HybridCode code) {
        ScanKeys by = ScanKeys.NUMBERS;
        int records = 60;
        int rounds = Math.max(2, rounds(5));
        AtomicLong taken = new AtomicLong();
        HistoryCollector collector = new HistoryCollector();
        ClusterConfig busy = config(code, by.schema())
                .withShape(3, 2, 2, 3)
                .withMemory(64 * 1024, 64 * 1024, 1024)
                .withHistory(collector);
        try (TestCluster cluster = start(
                busy,
                c -> LongStream.range(0, records)
                        .forEach(key -> by.load(c.loader, c.table(0), key, value(1L << key))))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < rounds; i++) {
                    long from = self.worker().random(2) * 30L;
                    long[] took = new long[1];
                    Procedure take = procedure(txn -> null, (txn, nothing) -> {
                        Scan scan = by.scan(txn, table, from, from + 30, 2, Intent.READ);
                        took[0] = 0;
                        if (scan.size() == 2) {
                            took[0] = scan.access(0).getLong(VALUE);
                            long next = scan.access(1).getLong(VALUE);
                            by.delete(txn, table, by.key(scan, 0));
                            by.update(txn, table, by.key(scan, 1)).putLong(VALUE, next);
                        }
                    });
                    assertThat(runner.run(take))
                            .as("%s", runner.transaction().abortReason())
                            .isEqualTo(Outcome.COMMITTED);
                    assertThat(taken.getAndAccumulate(took[0], (a, b) -> a | b) & took[0])
                            .as("taken twice in %s", cluster)
                            .isZero();
                }
            });
            cluster.assertAtRest();
            long[] left = new long[1];
            cluster.commit(0, procedure(txn -> null, (txn, nothing) -> {
                left[0] = 0;
                Scan scan = by.scan(txn, table, 0, records, records, Intent.READ);
                for (int i = 0; i < scan.size(); i++) {
                    left[0] |= scan.access(i).getLong(VALUE);
                }
            }));
            assertThat(left[0] | taken.get()).isEqualTo((1L << records) - 1);
            assertThat(left[0] & taken.get()).isZero();
            assertThat(Checker.check(collector.history(), Model.SERIALIZABLE).findings())
                    .as("history of %s", cluster)
                    .isEmpty();
        }
    }
}
