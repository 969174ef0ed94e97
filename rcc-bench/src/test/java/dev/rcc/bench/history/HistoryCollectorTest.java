package dev.rcc.bench.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.Anomaly;
import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Finding;
import dev.rcc.bench.check.Model;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.TestTransactions;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryCollectorTest {
    private static final List<TableSchema> TABLES =
            List.of(TableSchema.ofLongKeys(0, "numbers", 8, 100), TableSchema.ofByteKeys(1, "names", 16, 8, 100));
    private static final int NODES = 2;
    private static final int WORKERS = 2;
    private static final int COROUTINES = 2;

    @TempDir
    private Path directory;

    /** The work that a client repeats. */
    @FunctionalInterface
    private interface Client {
        void run(TransactionRunner runner, Table numbers, Table names);
    }

    private static Catalog everywhere(HistoryRecorder recorder, int replicas, Client client)
            throws InterruptedException {
        ClusterConfig config = ClusterConfig.of(Protocols.byName("nowait"), TABLES)
                .withShape(NODES, WORKERS, COROUTINES, replicas)
                .withHistory(recorder);
        CountDownLatch running = new CountDownLatch(NODES * WORKERS * COROUTINES);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (EmbeddedCluster cluster = new EmbeddedCluster(config)) {
            Table numbers = cluster.catalog().table(0);
            Table names = cluster.catalog().table(1);
            for (long key = 0; key < 3; key++) {
                cluster.loader().load(numbers, key, memory -> {});
            }
            cluster.start();
            for (int i = 0; i < NODES * WORKERS * COROUTINES; i++) {
                int coroutine = i % COROUTINES;
                int worker = i / COROUTINES % WORKERS;
                cluster.spawn(i / COROUTINES / WORKERS, worker, coroutine, (runner, self) -> {
                    try {
                        client.run(runner, numbers, names);
                    } catch (RuntimeException | Error e) {
                        failure.set(e);
                    } finally {
                        running.countDown();
                    }
                });
            }
            assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(failure.get()).isNull();
            return cluster.catalog();
        }
    }

    private static void mix(TransactionRunner runner, Table numbers, Table names) {
        for (int i = 0; i < 50; i++) {
            int n = i;
            assertThat(runner.run(new Procedure() {
                        private Access number;
                        private Access blind;

                        @Override
                        public void declare(Transaction txn) {
                            number = txn.update(numbers, n % 3);
                            blind = txn.write(numbers, (n + 1) % 3);
                            byte[] name = ("name " + n % 4).getBytes(StandardCharsets.UTF_8);
                            if (n % 2 == 0) {
                                txn.insert(names, name);
                            } else {
                                txn.delete(names, name);
                            }
                            txn.read(names, new byte[] {1, 2});
                        }

                        @Override
                        public void execute(Transaction txn) {
                            number.putLong(0, number.getLong(0) + 1);
                            blind.putLong(0, 0);
                        }
                    }))
                    .isIn(Outcome.COMMITTED, Outcome.ABORTED);
        }
    }

    @Test
    void shouldRecordTheTransactionsOfACluster() throws InterruptedException {
        HistoryCollector collector = new HistoryCollector();
        everywhere(collector, 1, HistoryCollectorTest::mix);
        History history = collector.history();
        CheckResult checked = Checker.check(history, Model.STRICT_SERIALIZABLE);
        assertThat(checked.isClean()).as(checked.report()).isTrue();
        assertThat(checked.transactions()).isGreaterThan(100);
        assertThat(IntStream.range(0, history.keys()).mapToObj(history::keyName))
                .contains("numbers/0", "numbers/2", "names/name 2")
                .anyMatch(name -> name.matches("leaf:names/[01]/\\d+"))
                .allMatch(name -> name.matches("numbers/[012]|names/name [0-3]|leaf:names/[01]/\\d+"));
        assertThat(IntStream.range(0, history.size()).mapToObj(history::process))
                .contains("0.0.0", "1.1.3")
                .allMatch(process -> process.matches("[01]\\.[01]\\.\\d+"));
        assertThat(IntStream.range(1, history.size())).allMatch(t -> history.endNanos(t - 1) <= history.endNanos(t));
        assertThat(collector.history()).hasToString(history.toString());
    }

    @Test
    void shouldRecordABlindWriteAsAWriteThatHasReadNothing() throws InterruptedException {
        HistoryCollector collector = new HistoryCollector();
        everywhere(collector, 1, HistoryCollectorTest::mix);
        History history = collector.history();
        for (int t = 0; t < history.size(); t++) {
            Set<String> read = new HashSet<>();
            Set<String> written = new HashSet<>();
            for (int op = history.opsFrom(t); op < history.opsFrom(t + 1); op++) {
                String key = history.keyName(history.key(op));
                if (key.startsWith("numbers/")) {
                    (Op.isWrite(history.kind(op)) ? written : read).add(key);
                }
            }
            assertThat(read).hasSize(1);
            assertThat(written).hasSize(2).containsAll(read);
        }
    }

    @Test
    void shouldMarkTheHistoryIncompleteAtItsLimit() throws InterruptedException {
        HistoryCollector collector = new HistoryCollector(100);
        everywhere(collector, 1, HistoryCollectorTest::mix);
        History history = collector.history();
        assertThat(history.size()).isBetween(1, 100);
        assertThat(history.isComplete()).isFalse();
        assertThat(history.incomplete()).contains("limit of 100 transactions").contains("came after it");
        CheckResult checked = Checker.check(history, Model.SERIALIZABLE);
        assertThat(checked.isClean()).as(checked.report()).isTrue();
    }

    /** Records in files, except on one worker: there the process is killed between log and commit. Counts those commits. */
    private static HistoryRecorder killed(HistoryCollector files, boolean isLogKept, AtomicInteger commits) {
        return new HistoryRecorder() {
            private boolean isKilled(Transaction txn) {
                return txn.coroutine().worker().node() == 1
                        && txn.coroutine().worker().index() == 1;
            }

            @Override
            public void logging(Transaction txn, long beginNanos) {
                if (isLogKept || !isKilled(txn)) {
                    files.logging(txn, beginNanos);
                }
            }

            @Override
            public void committed(Transaction txn, long beginNanos, long endNanos) {
                if (isKilled(txn)) {
                    commits.incrementAndGet();
                } else {
                    files.committed(txn, beginNanos, endNanos);
                }
            }

            @Override
            public void aborted(Transaction txn, long beginNanos, long endNanos) {
                if (!isKilled(txn)) {
                    files.aborted(txn, beginNanos, endNanos);
                }
            }
        };
    }

    private static List<String> descriptions(History history) {
        return IntStream.range(0, history.size())
                .mapToObj(t -> history.describe(t, Integer.MAX_VALUE))
                .sorted()
                .toList();
    }

    @Test
    void shouldReadTheRecordedHistoryFromFiles() throws Exception {
        HistoryCollector files = HistoryCollector.inFiles(directory);
        Catalog catalog = everywhere(files, 2, HistoryCollectorTest::mix);
        History history = HistoryCollector.read(directory, catalog);
        assertThat(descriptions(history)).hasSizeGreaterThan(100).isEqualTo(descriptions(files.history()));
        assertThat(IntStream.range(0, history.size()).mapToObj(history::status)).doesNotContain(Status.UNKNOWN);
        CheckResult checked = Checker.check(history, Model.STRICT_SERIALIZABLE);
        assertThat(checked.isClean()).as(checked.report()).isTrue();
    }

    // Goal: a transaction that a killed process has logged and other processes have read is in the history,
    // though no record has its outcome.
    @Test
    void shouldKeepLoggedTransactionsOfAKilledProcess() throws Exception {
        Catalog catalog = everywhere(
                killed(HistoryCollector.inFiles(directory), true, new AtomicInteger()), 2, HistoryCollectorTest::mix);
        History history = HistoryCollector.read(directory, catalog);
        assertThat(history.isComplete()).isTrue();
        assertThat(IntStream.range(0, history.size()).mapToObj(history::status)).contains(Status.UNKNOWN);
        CheckResult checked = Checker.check(history, Model.SERIALIZABLE);
        assertThat(checked.isClean()).as(checked.report()).isTrue();
    }

    @Test
    void shouldShowUnrecordedWritesAsGarbageReads() throws Exception {
        AtomicInteger unrecorded = new AtomicInteger();
        HistoryRecorder recorder = killed(HistoryCollector.inFiles(directory), false, unrecorded);
        Catalog catalog = everywhere(recorder, 2, (runner, numbers, names) -> {
            do { // other clients still run, and read, when there are writes that were not recorded
                mix(runner, numbers, names);
            } while (unrecorded.get() < 5);
        });
        CheckResult checked = Checker.check(HistoryCollector.read(directory, catalog), Model.SERIALIZABLE);
        assertThat(checked.findings()).extracting(Finding::anomaly).contains(Anomaly.GARBAGE_READ);
    }

    // The coordinator could not reach a backup. Until the next configuration, the other nodes may find that
    // the attempt has committed; if there is none, they may for ever.
    @ParameterizedTest
    @CsvSource({"true, ABORTED", "false, UNKNOWN"})
    void shouldRecordAnAbortAfterTheLogOnceItIsCertain(boolean areReplaced, Status end) {
        HistoryCollector collector = HistoryCollector.ofNodesThatMayDie(areReplaced);
        Catalog catalog = new Catalog(new RingPlacement(1, 1), 8, TABLES);
        Transaction txn = TestTransactions.create(new FakeWorker(0), 0, catalog, 1 << 12);
        txn.begin(true);
        txn.insert(catalog.table(0), 5).foundNothing();
        txn.commitTs(1 << 20);
        txn.logBegins();
        collector.logging(txn, 0);
        txn.abort(AbortReason.PEER_UNREACHABLE);
        collector.aborted(txn, 0, 1);
        assertThat(collector.history().status(0)).isEqualTo(Status.UNKNOWN);
        collector.attemptAborted(txn);
        assertThat(collector.history().status(0)).isEqualTo(end);
        assertThat(collector.history().size()).isEqualTo(1);
    }
}
