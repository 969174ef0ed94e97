package dev.rcc.bench.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.check.Verdict;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.ClusterConfig;
import dev.rcc.server.EmbeddedCluster;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HistoryCollectorTest {
    private static final List<TableSchema> TABLES =
            List.of(TableSchema.ofLongKeys(0, "numbers", 8, 100), TableSchema.ofByteKeys(1, "names", 16, 8, 100));
    private static final int NODES = 2;
    private static final int WORKERS = 2;
    private static final int COROUTINES = 2;

    /** What a client does, again and again. */
    @FunctionalInterface
    private interface Client {
        void run(TransactionRunner runner, Table numbers, Table names);
    }

    private static void everywhere(HistoryCollector collector, Client client) throws InterruptedException {
        ClusterConfig config = ClusterConfig.of(Protocols.byName("nowait"), TABLES)
                .withShape(NODES, WORKERS, COROUTINES, 1)
                .withHistory(collector);
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
        }
    }

    private static void mix(TransactionRunner runner, Table numbers, Table names) {
        for (int i = 0; i < 50; i++) {
            int n = i;
            assertThat(runner.run(new Procedure() {
                        private Access number;

                        @Override
                        public void declare(Transaction txn) {
                            number = txn.update(numbers, n % 3);
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
                        }
                    }))
                    .isIn(Outcome.COMMITTED, Outcome.ABORTED);
        }
    }

    @Test
    void shouldRecordWhatAClusterDoes() throws InterruptedException {
        HistoryCollector collector = new HistoryCollector();
        everywhere(collector, HistoryCollectorTest::mix);
        History history = collector.history();
        Verdict verdict = Checker.check(history, Model.STRICT_SERIALIZABLE);
        assertThat(verdict.isClean()).as(verdict.report()).isTrue();
        assertThat(verdict.transactions()).isGreaterThan(100);
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
    void shouldSayWhenItStoppedAtItsLimit() throws InterruptedException {
        HistoryCollector collector = new HistoryCollector(100);
        everywhere(collector, HistoryCollectorTest::mix);
        History history = collector.history();
        assertThat(history.size()).isBetween(1, 100);
        assertThat(history.isComplete()).isFalse();
        assertThat(history.incomplete()).contains("limit of 100 transactions").contains("came after it");
        Verdict verdict = Checker.check(history, Model.SERIALIZABLE);
        assertThat(verdict.isClean()).as(verdict.report()).isTrue();
    }

    @Test
    void shouldSayWhatItWasTold() {
        HistoryCollector collector = new HistoryCollector();
        assertThat(collector.history().isComplete()).isTrue();
        collector.markIncomplete("node 1 died");
        assertThat(collector.history().incomplete()).isEqualTo("node 1 died");
    }
}
