package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.Transaction;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.protocols.calvin.Calvin;
import dev.rcc.server.config.ClusterConfig;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Transactions that find out what they need only when they run: a reconnaissance names the keys, and its reads are
 * checked once the keys are locked. A pointer, key 0, says which of two keys a transaction is to change.
 */
abstract class CalvinDependencyContract extends ProtocolContract {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 100);
    private static final long POINTER = 0;
    private static final long ONE = 1;
    private static final long OTHER = 2;

    /** Drawn more often than the contracts that all protocols share. */
    @Override
    public int oneIn() {
        return 4;
    }

    private TestCluster start(ClusterConfig config) {
        return start(config, cluster -> {
            cluster.loader.load(cluster.table(0), POINTER, value(ONE));
            cluster.loader.load(cluster.table(0), ONE, value(100));
            cluster.loader.load(cluster.table(0), OTHER, value(200));
        });
    }

    /** Follows the pointer and adds 1 to the key that it points to; {@code between} happens in each run, before it does. */
    private static Procedure followPointer(Table table, Consumer<Transaction> between) {
        return procedure(txn -> txn.read(table, POINTER), (txn, pointer) -> {
            long key = pointer.getLong(VALUE);
            between.accept(txn);
            Access target = txn.update(table, key);
            txn.fetch();
            between.accept(txn);
            target.putLong(VALUE, target.getLong(VALUE) + 1);
        });
    }

    /** Lets a transaction stop at one of the calls, until something else has been done. */
    private static final class Stop implements Consumer<Transaction> {
        private final int at;
        private final CountDownLatch stopped = new CountDownLatch(1);
        private final AtomicBoolean goOn = new AtomicBoolean();
        private int calls;

        Stop(int at) {
            this.at = at;
        }

        @Override
        public void accept(Transaction txn) {
            if (++calls == at) {
                stopped.countDown();
                while (!goOn.get()) {
                    txn.coroutine().sleep(50_000);
                }
            }
        }
    }

    // The second call is in the first run, after the discovered key was fetched: locks are not held any more.
    @ForEveryCode
    void shouldNoticeThatTheKeysHaveChangedSinceTheReconnaissance(HybridCode code) {
        try (TestCluster cluster = start(config(code, SCHEMA))) {
            Table table = cluster.table(0);
            Stop stop = new Stop(2);
            CompletableFuture<Result> end = cluster.spawn(1, 0, followPointer(table, stop));
            cluster.await(stop.stopped);
            cluster.commit(2, write(table, POINTER, OTHER));
            stop.goOn.set(true);
            assertThat(cluster.await(end)).isEqualTo(Result.COMMITTED);
            assertThat(cluster.metrics().aborts(Calvin.DEPENDENCY_CHANGED)).isEqualTo(1);
            assertThat(cluster.metrics().attempted()).isEqualTo(3);
            assertThat(cluster.read(0, table, ONE)).isEqualTo(100);
            assertThat(cluster.read(0, table, OTHER)).isEqualTo(201);
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldLeaveNothingWhenTheKeysHaveChangedAndItIsNotTriedAgain(HybridCode code) {
        try (TestCluster cluster = start(config(code, SCHEMA).withRetries(RetryPolicy.NEVER))) {
            Table table = cluster.table(0);
            Stop stop = new Stop(2);
            CompletableFuture<Result> end = cluster.spawn(1, 0, followPointer(table, stop));
            cluster.await(stop.stopped);
            cluster.commit(2, write(table, POINTER, OTHER));
            stop.goOn.set(true);
            assertThat(cluster.await(end)).isEqualTo(Result.aborted(Calvin.DEPENDENCY_CHANGED));
            assertThat(cluster.read(0, table, ONE)).isEqualTo(100);
            assertThat(cluster.read(0, table, OTHER)).isEqualTo(200);
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldCommitInOneAttemptWhenTheKeysStay(HybridCode code) {
        try (TestCluster cluster = start(config(code, SCHEMA).withRetries(RetryPolicy.NEVER))) {
            cluster.commit(1, followPointer(cluster.table(0), txn -> {}));
            assertThat(cluster.read(0, cluster.table(0), ONE)).isEqualTo(101);
            cluster.assertAtRest();
        }
    }

    // Goal: an exception or an abort by the procedure that came of inconsistent reads is not its outcome.
    // Method: the two keys are always changed together; in the first run, one is read before a change and the
    // other after it.
    @ForEveryCode
    void shouldIgnoreAnExceptionOrAbortOfAReconnaissanceWithInconsistentReads(HybridCode code) {
        for (boolean throwing : new boolean[] {true, false}) {
            try (TestCluster cluster = start(config(code, SCHEMA), ONE, OTHER)) {
                Table table = cluster.table(0);
                Stop stop = new Stop(2);
                long[] difference = new long[1];
                int[] runs = new int[1];
                CompletableFuture<Result> end = cluster.spawn(
                        1,
                        0,
                        procedure(
                                txn -> {
                                    runs[0]++;
                                    return null;
                                },
                                (txn, nothing) -> {
                                    Access one = txn.read(table, ONE);
                                    stop.accept(txn);
                                    txn.fetch(); // of the first run: the reconnaissance begins
                                    stop.accept(txn);
                                    Access other = txn.read(table, OTHER);
                                    txn.fetch();
                                    difference[0] = other.getLong(VALUE) - one.getLong(VALUE);
                                    if (difference[0] != 1 && throwing) {
                                        throw new IllegalStateException("they are always changed together");
                                    } else if (difference[0] != 1) {
                                        txn.abort();
                                    }
                                }));
                cluster.await(stop.stopped);
                cluster.commit(
                        2,
                        procedure(
                                txn -> new Access[] {txn.update(table, ONE), txn.update(table, OTHER)},
                                (txn, accesses) -> {
                                    accesses[0].putLong(VALUE, 11);
                                    accesses[1].putLong(VALUE, 12);
                                }));
                stop.goOn.set(true);
                assertThat(cluster.await(end)).isEqualTo(Result.COMMITTED);
                assertThat(difference[0]).isEqualTo(1);
                assertThat(runs[0]).isEqualTo(2);
                cluster.assertAtRest();
            }
        }
    }

    @ForEveryCode
    void shouldReportTheExceptionOfAProcedureWithValidReads(HybridCode code) {
        IllegalStateException mine = new IllegalStateException("mine");
        try (TestCluster cluster = start(config(code, SCHEMA))) {
            Table table = cluster.table(0);
            Procedure procedure = procedure(txn -> txn.update(table, ONE), (txn, one) -> {
                one.putLong(VALUE, -1);
                txn.update(table, OTHER);
                txn.fetch();
                throw mine;
            });
            assertThat(cluster.run(0, procedure).thrown()).isSameAs(mine);
            assertThat(cluster.read(1, table, ONE)).isEqualTo(100);
            cluster.assertAtRest();
        }
    }

    // A key that the reconnaissance wanted to insert and the transaction does not: its slot goes back, and it stays
    // away.
    @ForEveryCode
    void shouldNotInsertAKeyThatOnlyTheReconnaissanceDeclared(HybridCode code) {
        try (TestCluster cluster = start(config(code, SCHEMA))) {
            Table table = cluster.table(0);
            Stop stop = new Stop(2);
            CompletableFuture<Result> end =
                    cluster.spawn(1, 0, procedure(txn -> txn.update(table, POINTER), (txn, pointer) -> {
                        if (pointer.getLong(VALUE) == ONE) {
                            txn.insert(table, 50);
                            txn.fetch();
                            stop.accept(txn);
                            stop.accept(txn);
                        }
                        pointer.putLong(VALUE, 7);
                    }));
            cluster.await(stop.stopped);
            cluster.commit(2, write(table, POINTER, OTHER));
            stop.goOn.set(true);
            assertThat(cluster.await(end)).isEqualTo(Result.COMMITTED);
            assertThat(cluster.read(0, table, 50)).isNull();
            assertThat(cluster.read(0, table, POINTER)).isEqualTo(7);
            cluster.assertAtRest();
        }
    }

    // All coroutines turn the pointer and follow it, at the same time.
    @ForEveryCode
    void shouldAlwaysChangeTheRecordThatThePointerRefersTo(HybridCode code) {
        int turns = rounds(5);
        HistoryCollector collector = new HistoryCollector();
        try (TestCluster cluster =
                start(config(code, SCHEMA).withShape(3, 2, 2, 3).withHistory(collector))) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < 3 * turns; i++) {
                    Procedure next = i % 3 == 0
                            ? change(table, POINTER, pointer -> ONE + OTHER - pointer)
                            : followPointer(table, txn -> {});
                    assertThat(runner.run(next)).isEqualTo(Outcome.COMMITTED);
                }
            });
            cluster.assertAtRest();
            assertThat(cluster.read(0, table, ONE) + cluster.read(0, table, OTHER))
                    .isEqualTo(300 + 12 * 2 * turns);
            assertThat(Checker.check(collector.history(), Model.SERIALIZABLE).findings())
                    .isEmpty();
        }
    }
}
