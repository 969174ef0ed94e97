package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.Transaction;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.sundial.GatedSundial;
import dev.rcc.protocols.sundial.GatedSundial.Gate;
import dev.rcc.protocols.sundial.Sundial;
import dev.rcc.protocols.sundial.SundialLayout;
import dev.rcc.protocols.sundial.WriteConflict;
import dev.rcc.server.config.ClusterConfig;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Schedules of SUNDIAL that matter, one step after the other, in virtual time. Transactions are distinguished by their
 * nodes; a stop holds one of them in its renew stage, where it has its locks and is not decided.
 */
class SundialScheduleTest extends ProtocolContract implements OnSimWithoutFaults {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 100);
    private static final long X = 1;
    private static final long V = 2;
    private static final int READER = 0;
    private static final int WRITER = 1;
    private static final int OTHER = 2;

    @Override
    public Protocol protocol() {
        return GatedSundial.asBuilt(WriteConflict.WAIT_DIE, Gate.OPEN);
    }

    /** Holds each transaction that arrives until it is opened. */
    private static final class Stop {
        private final CountDownLatch reached = new CountDownLatch(1);
        private volatile boolean open;

        void pass(Transaction txn) {
            reached.countDown();
            while (!open) {
                txn.coroutine().sleep(1_000);
            }
        }

        void open() {
            open = true;
        }
    }

    /** Two stops for each node; those of the others are open. */
    private static final class Stops implements Gate {
        private final Stop[] beforeRenewal = {new Stop(), new Stop(), new Stop()};
        private final Stop[] beforeRaise = {new Stop(), new Stop(), new Stop()};
        /** The outcome of the writer once it goes on. */
        private volatile AbortReason writerAborts;

        Stops() {
            beforeRenewal[OTHER].open();
            beforeRaise[OTHER].open();
        }

        @Override
        public AbortReason beforeRenewal(Transaction txn) {
            int node = txn.coroutine().worker().node();
            beforeRenewal[node].pass(txn);
            return node == WRITER ? writerAborts : null;
        }

        @Override
        public void beforeRaise(Transaction txn) {
            beforeRaise[txn.coroutine().worker().node()].pass(txn);
        }
    }

    private static Procedure read(Table table, long key, long minCommitTs) {
        return procedure(
                txn -> {
                    txn.minCommitTs(minCommitTs);
                    return txn.read(table, key);
                },
                (txn, access) -> {});
    }

    private static Procedure write(Table table, long key, long value, long minCommitTs) {
        return procedure(
                txn -> {
                    txn.minCommitTs(minCommitTs);
                    return txn.update(table, key);
                },
                (txn, access) -> access.putLong(VALUE, value));
    }

    /** Reads one key and sets another. */
    private static Procedure readAndWrite(Table table, long read, long written) {
        return procedure(
                txn -> List.of(txn.read(table, read), txn.update(table, written)),
                (txn, accesses) ->
                        accesses.get(1).putLong(VALUE, accesses.get(0).getLong(VALUE) + 10));
    }

    /** A procedure that comes by a stop once it has executed. */
    private static Procedure stopping(Procedure procedure, Stop stop) {
        return procedure(
                txn -> {
                    procedure.declare(txn);
                    return null;
                },
                (txn, nothing) -> {
                    procedure.execute(txn);
                    stop.pass(txn);
                });
    }

    /** The timestamp that a transaction has committed at, or null. */
    private static Long commitTs(TestCluster cluster, int node, Procedure procedure) {
        CompletableFuture<Long> commitTs = new CompletableFuture<>();
        cluster.embedded.spawn(node, 0, 1, (runner, self) -> {
            Outcome outcome = runner.run(procedure);
            commitTs.complete(
                    outcome == Outcome.COMMITTED ? runner.transaction().commitTs() : null);
        });
        return cluster.await(commitTs);
    }

    /** Keys leased as in the example: X until 10, V until 15. */
    private TestCluster startLeased(ClusterConfig config) {
        TestCluster cluster = start(config, X, V);
        assertThat(commitTs(cluster, OTHER, read(cluster.table(0), X, 10))).isEqualTo(10);
        assertThat(commitTs(cluster, OTHER, read(cluster.table(0), V, 15))).isEqualTo(15);
        return cluster;
    }

    private static List<?> anomalies(HistoryCollector history) {
        return Checker.check(history.history(), Model.SERIALIZABLE).findings();
    }

    private static ClusterConfig config(Protocol protocol, HybridCode code) {
        return ClusterConfig.of(protocol, List.of(SCHEMA))
                .withCode(HybridCode.parse(protocol, code.digits()))
                .withShape(3, 1, 4, 3)
                .withMemory(64 * 1024, 32 * 1024, 1024)
                .withRetries(RetryPolicy.NEVER);
    }

    // ---- the printed renewal ---------------------------------------------------------------------------------------

    // Goal: the schedule that breaks the printed protocol. R reads X, locks V, so must commit at 16; W reads
    // V; R, renewing, reads X unlocked; W locks X, whose rts is 10; R raises X's rts to 16 and commits V at
    // 16; W commits X at 11, inside V's lease, which it need not renew. Each missed the other's write.
    @Test
    void shouldShowWriteSkewUnderThePrintedRenewal() {
        Stops stops = new Stops();
        stops.beforeRenewal[READER].open();
        GatedSundial printed = GatedSundial.asPrinted(stops);
        HistoryCollector history = new HistoryCollector();
        ClusterConfig config = config(printed, HybridCode.uniform(printed, Primitive.ONE_SIDED));
        try (TestCluster cluster = startLeased(config.withHistory(history))) {
            Table table = cluster.table(0);
            CompletableFuture<Result> reader = cluster.spawn(READER, 0, readAndWrite(table, X, V));
            cluster.await(stops.beforeRaise[READER].reached);
            CompletableFuture<Result> writer = cluster.spawn(WRITER, 0, readAndWrite(table, V, X));
            cluster.await(stops.beforeRenewal[WRITER].reached);
            stops.beforeRaise[READER].open();
            assertThat(cluster.await(reader)).isEqualTo(Result.COMMITTED);
            stops.beforeRenewal[WRITER].open();
            assertThat(cluster.await(writer)).isEqualTo(Result.COMMITTED);
        }
        assertThat(anomalies(history)).isNotEmpty();
    }

    // The same, as built: when R comes to renew X, W has locked it.
    @ForEveryCode
    void shouldNotRenewALeaseWhileAWriterHoldsTheTuple(HybridCode code) {
        Stops stops = new Stops();
        HistoryCollector history = new HistoryCollector();
        ClusterConfig config = config(GatedSundial.asBuilt(WriteConflict.WAIT_DIE, stops), code);
        try (TestCluster cluster = startLeased(config.withHistory(history))) {
            Table table = cluster.table(0);
            CompletableFuture<Result> reader = cluster.spawn(READER, 0, readAndWrite(table, X, V));
            cluster.await(stops.beforeRenewal[READER].reached);
            CompletableFuture<Result> writer = cluster.spawn(WRITER, 0, readAndWrite(table, V, X));
            cluster.await(stops.beforeRenewal[WRITER].reached);
            stops.beforeRenewal[READER].open();
            assertThat(cluster.await(reader)).isEqualTo(Result.aborted(Sundial.LEASE_NOT_RENEWED));
            stops.beforeRenewal[WRITER].open();
            assertThat(cluster.await(writer)).isEqualTo(Result.COMMITTED);
            cluster.assertAtRest();
            assertThat(cluster.read(OTHER, table, X)).isEqualTo(V + 10);
            assertThat(cluster.read(OTHER, table, V)).isEqualTo(V);
        }
        assertThat(anomalies(history)).isEmpty();
    }

    // The other order: R has renewed X when W locks it. So W commits at 17, and V's lease does not last until then.
    @ForEveryCode
    void shouldFreezeTheRenewedLeaseWhenAWriterLocksAfterwards(HybridCode code) {
        HistoryCollector history = new HistoryCollector();
        Stop executed = new Stop();
        try (TestCluster cluster = startLeased(config(protocol(), code).withHistory(history))) {
            Table table = cluster.table(0);
            CompletableFuture<Result> writer = cluster.spawn(WRITER, 0, stopping(readAndWrite(table, V, X), executed));
            cluster.await(executed.reached);
            assertThat(commitTs(cluster, READER, readAndWrite(table, X, V))).isEqualTo(16);
            executed.open();
            assertThat(cluster.await(writer)).isEqualTo(Result.aborted(Sundial.LEASE_NOT_RENEWED));
            cluster.assertAtRest();
            assertThat(commitTs(cluster, WRITER, readAndWrite(table, V, X))).isEqualTo(17);
        }
        assertThat(anomalies(history)).isEmpty();
    }

    // ---- blind writes ----------------------------------------------------------------------------------------------

    // A writer that has not read X replaces any value that is there when it has locked, after the lease that
    // it has frozen then.
    @ForEveryCode
    void shouldWriteBlindlyAfterTheLeaseOfTheLockedRecord(HybridCode code) {
        HistoryCollector history = new HistoryCollector();
        Stop executed = new Stop();
        try (TestCluster cluster = startLeased(config(protocol(), code).withHistory(history))) {
            Table table = cluster.table(0);
            CompletableFuture<Long> blind = new CompletableFuture<>();
            Procedure writing = stopping(
                    procedure(txn -> txn.write(table, X), (txn, access) -> access.putLong(VALUE, 99)), executed);
            cluster.embedded.spawn(WRITER, 0, 0, (runner, self) -> {
                Outcome outcome = runner.run(writing);
                blind.complete(
                        outcome == Outcome.COMMITTED ? runner.transaction().commitTs() : null);
            });
            cluster.await(executed.reached);
            assertThat(commitTs(cluster, READER, write(table, X, 5, 0))).isEqualTo(11);
            assertThat(commitTs(cluster, OTHER, read(table, X, 30))).isEqualTo(30);
            executed.open();
            assertThat(cluster.await(blind)).isEqualTo(31);
            assertThat(cluster.read(READER, table, X)).isEqualTo(99);
            cluster.assertAtRest();
        }
        assertThat(anomalies(history)).isEmpty();
    }

    // ---- reads -----------------------------------------------------------------------------------------------------

    // Goal: a reader neither waits for a writer nor makes it abort, and commits without a message when the leases
    // allow.
    // Method: a writer of X and inserter of a key holds its locks; others read X, that key, and its neighbour.
    @ForEveryCode
    void shouldCommitReadersOfAWriteLockedRecordWithoutAnExtraMessage(HybridCode code) {
        Stops stops = new Stops();
        ClusterConfig config = config(GatedSundial.asBuilt(WriteConflict.WAIT_DIE, stops), code);
        try (TestCluster cluster = startLeased(config)) {
            Table table = cluster.table(0);
            long[] keys = keysOfOneLeaf(cluster, table, 1, 4);
            long[] missing = Arrays.stream(keys)
                    .filter(key -> key != X && key != V)
                    .limit(2)
                    .toArray();
            Procedure readAll = procedure(
                    txn -> List.of(txn.read(table, X), txn.read(table, missing[0]), txn.read(table, missing[1])),
                    (txn, accesses) -> {
                        assertThat(accesses.get(0).getLong(VALUE)).isEqualTo(X);
                        assertThat(accesses.get(1).exists() || accesses.get(2).exists())
                                .isFalse();
                    });
            assertThat(commitTs(cluster, OTHER, readAll)).isEqualTo(1);
            CompletableFuture<Result> writer = cluster.spawn(
                    WRITER,
                    0,
                    procedure(
                            txn -> List.of(txn.update(table, X), txn.insert(table, missing[0])),
                            (txn, accesses) -> accesses.forEach(access -> access.putLong(VALUE, 77))));
            cluster.await(stops.beforeRenewal[WRITER].reached);
            long before = cluster.metrics().roundTrips();
            cluster.commit(OTHER, procedure(txn -> txn.read(table, X), (txn, access) -> {}));
            assertThat(cluster.metrics().roundTrips() - before)
                    .as("fetching alone")
                    .isEqualTo(1);
            assertThat(commitTs(cluster, OTHER, readAll)).isEqualTo(1);
            stops.beforeRenewal[WRITER].open();
            assertThat(cluster.await(writer)).isEqualTo(Result.COMMITTED);
            cluster.assertAtRest();
            assertThat(cluster.read(OTHER, table, X)).isEqualTo(77);
            assertThat(cluster.read(OTHER, table, missing[0])).isEqualTo(77);
        }
    }

    // Goal: a transaction that could not commit with a value that a writer is about to replace waits for the
    // writer for a while, and commits with the value that is there then. Method: X, leased until 10, is held;
    // of two that try once, one must commit at 20 or later, the other writes X.
    @ForEveryCode
    void shouldRefetchARecordThatAWriterIsAboutToReplace(HybridCode code) {
        for (boolean writes : new boolean[] {false, true}) {
            Stops stops = new Stops();
            try (TestCluster cluster = startLeased(config(GatedSundial.asBuilt(WriteConflict.WAIT_DIE, stops), code))) {
                Table table = cluster.table(0);
                CompletableFuture<Result> writer = cluster.spawn(WRITER, 0, write(table, X, 6));
                cluster.await(stops.beforeRenewal[WRITER].reached);
                cluster.embedded.spawn(READER, 0, 3, (runner, self) -> {
                    self.sleep(100_000); // virtual time, in which the other fetches X in vain
                    stops.beforeRenewal[WRITER].open();
                });
                long[] seen = {0};
                Procedure other = procedure(
                        txn -> {
                            txn.minCommitTs(writes ? 0 : 20);
                            return writes ? txn.update(table, X) : txn.read(table, X);
                        },
                        (txn, access) -> {
                            seen[0] = access.getLong(VALUE);
                            if (writes) {
                                access.putLong(VALUE, 7);
                            }
                        });
                assertThat(commitTs(cluster, OTHER, other)).isEqualTo(writes ? 12 : 20);
                assertThat(seen[0]).isEqualTo(6);
                assertThat(cluster.await(writer)).isEqualTo(Result.COMMITTED);
                cluster.assertAtRest();
                assertThat(cluster.read(OTHER, table, X)).isEqualTo(writes ? 7 : 6);
            }
        }
    }

    // Goal: a key that a transaction deletes is missing only at or after its commit, though its leaf can be
    // read while it is locked. Method: a transaction that finds the key missing must commit after one that
    // found it there at the delete's time.
    @ForEveryCode
    void shouldRenewAMissingKeyByItsLeaf(HybridCode code) {
        try (TestCluster cluster = startLeased(config(protocol(), code))) {
            Table table = cluster.table(0);
            long deleted = commitTs(cluster, WRITER, delete(table, X));
            assertThat(deleted).isEqualTo(11);
            Stop fetched = new Stop();
            CompletableFuture<Result> late = cluster.spawn(READER, 0, stopping(read(table, X, 30), fetched));
            cluster.await(fetched.reached);
            assertThat(commitTs(cluster, WRITER, insert(table, X, 5))).isEqualTo(12);
            fetched.open();
            assertThat(cluster.await(late)).isEqualTo(Result.aborted(Sundial.LEASE_NOT_RENEWED));
            assertThat(commitTs(cluster, WRITER, delete(table, X))).isEqualTo(13);
            assertThat(commitTs(cluster, READER, read(table, X, 30))).isEqualTo(30);
            assertThat(commitTs(cluster, WRITER, insert(table, X, 6))).isEqualTo(31);
            cluster.assertAtRest();
        }
    }

    // ---- minimum commit timestamps ---------------------------------------------------------------------------------

    // Goal: a transaction that is notified of a commit is ordered after it. Method: X is leased until 50. One
    // transaction reads X; then X is written, at 51; then, notified of that or not, another transaction
    // writes V; then the first one reads V.
    @ForEveryCode
    void shouldOrderATransactionAfterACommitThatItWasNotifiedOf(HybridCode code) {
        for (boolean told : new boolean[] {false, true}) {
            try (TestCluster cluster = startLeased(config(protocol(), code))) {
                Table table = cluster.table(0);
                cluster.commit(OTHER, read(table, X, 50));
                Stop hasReadX = new Stop();
                Long[] seen = new Long[2];
                CompletableFuture<Result> both =
                        cluster.spawn(READER, 0, procedure(txn -> txn.read(table, X), (txn, access) -> {
                            hasReadX.pass(txn);
                            Access other = txn.read(table, V);
                            txn.fetch();
                            seen[0] = access.getLong(VALUE);
                            seen[1] = other.getLong(VALUE);
                        }));
                cluster.await(hasReadX.reached);
                long first = commitTs(cluster, WRITER, write(table, X, 100, 0));
                assertThat(first).isEqualTo(51);
                long second = commitTs(cluster, OTHER, write(table, V, 200, told ? first : 0));
                assertThat(second).isEqualTo(told ? 51 : 16);
                hasReadX.open();
                Result result = cluster.await(both);
                assertThat(seen).containsExactly(X, 200L);
                assertThat(result).isEqualTo(told ? Result.aborted(Sundial.LEASE_NOT_RENEWED) : Result.COMMITTED);
                cluster.assertAtRest();
            }
        }
    }

    @ForEveryCode
    void shouldAbortForGoodAtTheEndOfLogicalTime(HybridCode code) {
        try (TestCluster cluster = startLeased(config(protocol(), code).withRetries(PATIENT))) {
            Table table = cluster.table(0);
            assertThat(commitTs(cluster, WRITER, write(table, X, 5, SundialLayout.MAX_TIME)))
                    .isEqualTo(SundialLayout.MAX_TIME);
            Result exhausted = Result.aborted(Sundial.LOGICAL_TIME_EXHAUSTED);
            assertThat(cluster.run(WRITER, write(table, X, 6))).isEqualTo(exhausted);
            assertThat(cluster.run(WRITER, delete(table, X))).isEqualTo(exhausted);
            assertThat(cluster.run(READER, read(table, V, SundialLayout.MAX_TIME + 1)))
                    .isEqualTo(exhausted);
            assertThat(cluster.run(READER, read(table, V, Long.MAX_VALUE))).isEqualTo(exhausted);
            assertThat(cluster.read(READER, table, X)).isEqualTo(5);
            assertThat(commitTs(cluster, WRITER, write(table, V, 7, 0))).isEqualTo(16);
            cluster.assertAtRest();
        }
    }

    // ---- write-write conflicts -------------------------------------------------------------------------------------

    /** The outcome of a writer of X that meets another's lock, and is older than its holder or younger. */
    private Result meet(HybridCode code, WriteConflict conflicts, boolean older, boolean holderGoesOn) {
        Stops stops = new Stops();
        try (TestCluster cluster = startLeased(config(GatedSundial.asBuilt(conflicts, stops), code))) {
            Table table = cluster.table(0);
            Stop executed = new Stop();
            CompletableFuture<Result> other = null;
            if (older) {
                other = cluster.spawn(OTHER, 0, stopping(write(table, X, 5), executed));
                cluster.await(executed.reached);
                CountDownLatch later =
                        new CountDownLatch(1); // by more than a tick of the clocks that ages are drawn from
                cluster.embedded.spawn(READER, 0, 2, (runner, self) -> {
                    self.sleep(10 * Timestamp.TICK_NANOS);
                    later.countDown();
                });
                cluster.await(later);
            }
            stops.writerAborts = AbortReason.USER_ABORT;
            CompletableFuture<Result> holder = cluster.spawn(WRITER, 0, write(table, X, 6));
            cluster.await(stops.beforeRenewal[WRITER].reached);
            if (holderGoesOn) {
                cluster.embedded.spawn(READER, 0, 3, (runner, self) -> {
                    self.sleep(1_000_000); // some waits, of virtual time
                    stops.beforeRenewal[WRITER].open();
                });
            }
            executed.open();
            Result result = cluster.await(older ? other : cluster.spawn(OTHER, 0, write(table, X, 5)));
            stops.beforeRenewal[WRITER].open();
            assertThat(cluster.await(holder).outcome()).isEqualTo(Outcome.ABORTED);
            cluster.assertAtRest();
            assertThat(cluster.read(OTHER, table, X)).isEqualTo(result.outcome() == Outcome.COMMITTED ? 5 : X);
            return result;
        }
    }

    @ForEveryCode
    void shouldLetTheOlderWaitAndTheYoungerDie(HybridCode code) {
        WriteConflict waitDie = WriteConflict.WAIT_DIE;
        assertThat(meet(code, waitDie, false, true)).isEqualTo(Result.aborted(ConflictReasons.WAIT_DIE_DIED));
        assertThat(meet(code, waitDie, true, true)).isEqualTo(Result.COMMITTED);
        assertThat(meet(code, waitDie, true, false)).isEqualTo(Result.aborted(ConflictReasons.WAIT_TIMEOUT));
    }

    @ForEveryCode
    void shouldAbortConflictingWritersWithoutWaitingUnderNoWait(HybridCode code) {
        for (boolean older : new boolean[] {false, true}) {
            assertThat(meet(code, WriteConflict.NO_WAIT, older, true))
                    .isEqualTo(Result.aborted(AbortReason.LOCK_CONFLICT));
        }
    }

    // Two that write the same keys in opposite orders, each waiting for the other if it may: it ends, and nothing is
    // lost.
    @ParameterizedTest
    @EnumSource(WriteConflict.class)
    void shouldEndEveryWait(WriteConflict conflicts) {
        for (Primitive primitive : Primitive.values()) {
            GatedSundial sundial = GatedSundial.asBuilt(conflicts, Gate.OPEN);
            ClusterConfig config =
                    config(sundial, HybridCode.uniform(sundial, primitive)).withRetries(PATIENT);
            try (TestCluster cluster = start(config, X, V)) {
                Table table = cluster.table(0);
                cluster.everywhere((runner, self) -> {
                    for (int i = 0; i < 20; i++) {
                        boolean up = (i + self.id()) % 2 == 0;
                        assertThat(runner.run(procedure(
                                        txn -> List.of(txn.update(table, up ? X : V), txn.update(table, up ? V : X)),
                                        (txn, accesses) ->
                                                accesses.forEach(a -> a.putLong(VALUE, a.getLong(VALUE) + 1)))))
                                .isEqualTo(Outcome.COMMITTED);
                    }
                });
                cluster.assertAtRest();
                assertThat(cluster.read(0, table, X)).isEqualTo(X + 3 * 4 * 20);
                assertThat(cluster.read(0, table, V)).isEqualTo(V + 3 * 4 * 20);
                assertThat(cluster.metrics().aborts(ConflictReasons.WAIT_TIMEOUT))
                        .isZero();
            }
        }
    }
}
