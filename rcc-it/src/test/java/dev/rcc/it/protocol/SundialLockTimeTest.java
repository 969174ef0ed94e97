package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.Transaction;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.common.RoundTrips;
import dev.rcc.protocols.optimistic.LockTime;
import dev.rcc.protocols.sundial.Sundial;
import dev.rcc.protocols.sundial.SundialOptions;
import dev.rcc.protocols.sundial.WriteConflict;
import dev.rcc.server.config.ClusterConfig;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** The promises of SUNDIAL that locks records when they are accessed (Sundial, 3.3.1), in virtual time. */
class SundialLockTimeTest extends ProtocolContract implements OnSimWithoutFaults {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 100);
    private static final long X = 1;
    private static final long V = 2;
    private static final long MISSING = 3;
    private static final int FIRST = 0;
    private static final int SECOND = 1;

    @Override
    public Protocol protocol() {
        return new Sundial(WriteConflict.WAIT_DIE, LockTime.ACCESS);
    }

    private TestCluster start(LockTime lockTime, HybridCode code) {
        return start(new Sundial(WriteConflict.WAIT_DIE, lockTime), code);
    }

    private TestCluster start(Protocol protocol, HybridCode code) {
        return start(protocol, code, RetryPolicy.NEVER);
    }

    private TestCluster start(Protocol protocol, HybridCode code, RetryPolicy retries) {
        return start(
                ClusterConfig.of(protocol, List.of(SCHEMA))
                        .withCode(HybridCode.parse(protocol, code.digits()))
                        .withShape(3, 1, 4, 3)
                        .withMemory(64 * 1024, 32 * 1024, 1024)
                        .withRetries(retries),
                X,
                V);
    }

    /** Runs a procedure in two steps, and something else between them. */
    private static <A> Result between(
            TestCluster cluster,
            Function<Transaction, A> declare,
            BiConsumer<Transaction, A> first,
            Consumer<TestCluster> meanwhile,
            BiConsumer<Transaction, A> second) {
        CountDownLatch reached = new CountDownLatch(1);
        AtomicBoolean goesOn = new AtomicBoolean();
        CompletableFuture<Result> result = cluster.spawn(FIRST, 0, procedure(declare, (txn, accesses) -> {
            first.accept(txn, accesses);
            reached.countDown();
            while (!goesOn.get()) {
                txn.coroutine().sleep(1_000);
            }
            second.accept(txn, accesses);
        }));
        cluster.await(reached);
        meanwhile.accept(cluster);
        goesOn.set(true);
        return cluster.await(result);
    }

    private static Long commitTs(TestCluster cluster, Procedure procedure) {
        CompletableFuture<Long> commitTs = new CompletableFuture<>();
        cluster.embedded.spawn(SECOND, 0, 1, (runner, self) -> {
            Outcome outcome = runner.run(procedure);
            commitTs.complete(
                    outcome == Outcome.COMMITTED ? runner.transaction().commitTs() : null);
        });
        return cluster.await(commitTs);
    }

    // Method: while a transaction is in its procedure, a younger one writes the same. It dies of the lock,
    // if there is one; otherwise it commits, and the first one finds that the record that it has read was
    // written.
    @ForEveryCode
    void shouldHoldAWriteLockDuringItsProcedureOnlyIfItLocksAtAccess(HybridCode code) {
        for (LockTime lockTime : LockTime.values()) {
            try (TestCluster cluster = start(lockTime, code)) {
                Table table = cluster.table(0);
                Result[] second = {null};
                Result first = between(
                        cluster,
                        txn -> txn.update(table, X),
                        (txn, access) -> access.putLong(VALUE, 5),
                        meanwhile -> second[0] = meanwhile.run(SECOND, write(table, X, 6)),
                        (txn, accesses) -> {});
                boolean atAccess = lockTime == LockTime.ACCESS;
                assertThat(second[0])
                        .isEqualTo(atAccess ? Result.aborted(ConflictReasons.WAIT_DIE_DIED) : Result.COMMITTED);
                assertThat(first)
                        .isEqualTo(atAccess ? Result.COMMITTED : Result.aborted(ConflictReasons.VALIDATION_FAILED));
                cluster.assertAtRest();
                assertThat(cluster.read(SECOND, table, X)).isEqualTo(atAccess ? 5 : 6);
            }
        }
    }

    // Goal: what a transaction knows of a record that it writes blindly holds from the version on that it has
    // locked, not from the one that it has found before it waited for the lock.
    // Method: two records come and go together. A transaction finds one of them gone, and waits for the lock
    // of the other, which its holder is about to remove. Both are inserted before it gets the lock. When the
    // first one fetches is varied, so that this happens at some time.
    @ForEveryCode
    void shouldNotEndByWhatItHasFoundBeforeItsBlindWriteWasLocked(HybridCode code) {
        try (TestCluster cluster = start(protocol(), code, PATIENT)) {
            for (long nanos = 0; nanos < 24_000; nanos += 50) {
                blindWriteWhileBothComeAndGo(cluster, X, V, nanos);
                blindWriteWhileBothComeAndGo(cluster, V, X, nanos);
            }
            cluster.assertAtRest();
        }
    }

    private static void blindWriteWhileBothComeAndGo(TestCluster cluster, long written, long read, long nanos) {
        Table table = cluster.table(0);
        AtomicBoolean isRemoving = new AtomicBoolean();
        Function<Transaction, List<Access>> declare = txn -> {
            while (!isRemoving.get()) {
                txn.coroutine().sleep(100);
            }
            if (txn.attempt() == 0) {
                txn.coroutine().sleep(nanos);
            }
            return List.of(txn.write(table, written), txn.read(table, read));
        };
        CompletableFuture<Result> blind = cluster.spawn(FIRST, 0, procedure(declare, (txn, accesses) -> {
            if (accesses.get(0).exists() != accesses.get(1).exists()) {
                throw new IllegalStateException("the records come and go together");
            }
        }));
        CompletableFuture<Outcome> others = new CompletableFuture<>();
        cluster.embedded.spawn(SECOND, 0, 1, (runner, self) -> {
            self.sleep(5_000); // so that it is the younger one
            runner.run(procedure(txn -> List.of(txn.delete(table, X), txn.delete(table, V)), (txn, gone) -> {
                isRemoving.set(true);
                txn.coroutine().sleep(10_000);
            }));
            others.complete(runner.run(procedure(
                    txn -> List.of(txn.insert(table, X), txn.insert(table, V)),
                    (txn, come) -> come.forEach(access -> access.putLong(VALUE, 1)))));
        });
        assertThat(cluster.await(blind)).isEqualTo(Result.COMMITTED);
        assertThat(cluster.await(others)).isEqualTo(Outcome.COMMITTED);
    }

    // Method: while a transaction that reads one record and writes another is in its procedure, a later one
    // writes the record that it reads. The lease that was renewed before keeps the later one's commit after
    // the first one's.
    @ForEveryCode
    void shouldCommitBeforeWritersOfItsReadRecordsOnlyIfItRenewsLeasesEarly(HybridCode code) {
        for (boolean renewsEarly : new boolean[] {false, true}) {
            SundialOptions options =
                    new SundialOptions(WriteConflict.WAIT_DIE, LockTime.ACCESS, renewsEarly, RoundTrips.FEWEST);
            try (TestCluster cluster = start(new Sundial(options), code)) {
                Table table = cluster.table(0);
                cluster.commit(SECOND, write(table, V, 3)); // so that V's next writer commits later than X was written
                Result first = between(
                        cluster,
                        txn -> List.of(txn.read(table, X), txn.update(table, V)),
                        (txn, accesses) -> {},
                        meanwhile -> meanwhile.commit(SECOND, write(table, X, 6)),
                        (txn, accesses) ->
                                accesses.get(1).putLong(VALUE, accesses.get(0).getLong(VALUE)));
                assertThat(first)
                        .as("renews early: %s", renewsEarly)
                        .isEqualTo(renewsEarly ? Result.COMMITTED : Result.aborted(Sundial.LEASE_NOT_RENEWED));
                cluster.assertAtRest();
                assertThat(cluster.read(SECOND, table, X)).isEqualTo(6);
                assertThat(cluster.read(SECOND, table, V)).isEqualTo(renewsEarly ? X : 3);
            }
        }
    }

    @ForEveryCode
    void shouldKeepOthersFromInsertingTheKeyThatItInserts(HybridCode code) {
        try (TestCluster cluster = start(LockTime.ACCESS, code)) {
            Table table = cluster.table(0);
            Result[] second = {null};
            Result first = between(
                    cluster,
                    txn -> txn.insert(table, MISSING),
                    (txn, access) -> access.putLong(VALUE, 5),
                    meanwhile -> second[0] = meanwhile.run(SECOND, insert(table, MISSING, 6)),
                    (txn, accesses) -> {});
            assertThat(second[0]).isEqualTo(Result.aborted(ConflictReasons.WAIT_DIE_DIED));
            assertThat(first).isEqualTo(Result.COMMITTED);
            cluster.assertAtRest();
            assertThat(cluster.read(SECOND, table, MISSING)).isEqualTo(5);
        }
    }

    @ForEveryCode
    void shouldLetOthersReadRecordsThatItHasLocked(HybridCode code) {
        try (TestCluster cluster = start(LockTime.ACCESS, code)) {
            Table table = cluster.table(0);
            Long[] seen = {null};
            Result first = between(
                    cluster,
                    txn -> txn.update(table, X),
                    (txn, access) -> access.putLong(VALUE, 5),
                    meanwhile -> seen[0] = meanwhile.read(SECOND, table, X),
                    (txn, accesses) -> {});
            assertThat(first).isEqualTo(Result.COMMITTED);
            assertThat(seen[0]).isEqualTo(X);
            cluster.assertAtRest();
        }
    }

    // The record has changed since the procedure read it: so the record must not be replaced, though it can
    // be locked.
    @ForEveryCode
    void shouldNotWriteARecordThatHasChangedSinceItWasRead(HybridCode code) {
        for (boolean fetchesMore : new boolean[] {false, true}) {
            try (TestCluster cluster = start(LockTime.ACCESS, code)) {
                Table table = cluster.table(0);
                Result first = between(
                        cluster,
                        txn -> txn.read(table, X),
                        (txn, accesses) -> {},
                        meanwhile -> meanwhile.commit(SECOND, write(table, X, 6)),
                        (txn, access) -> {
                            txn.update(table, X).putLong(VALUE, access.getLong(VALUE) + 1);
                            if (fetchesMore) {
                                txn.update(table, V);
                                txn.fetch();
                            }
                        });
                assertThat(first).isEqualTo(Result.aborted(ConflictReasons.VALIDATION_FAILED));
                cluster.assertAtRest();
                assertThat(cluster.read(SECOND, table, X)).isEqualTo(6);
            }
        }
    }

    // Once it fetches again, it holds the record that it has come to write.
    @ForEveryCode
    void shouldLockAnUpdatedRecordAtTheNextFetch(HybridCode code) {
        try (TestCluster cluster = start(LockTime.ACCESS, code)) {
            Table table = cluster.table(0);
            Result[] second = {null};
            Result first = between(
                    cluster,
                    txn -> txn.read(table, X),
                    (txn, access) -> {
                        txn.update(table, X).putLong(VALUE, 5);
                        txn.read(table, V);
                        txn.fetch();
                    },
                    meanwhile -> second[0] = meanwhile.run(SECOND, write(table, X, 6)),
                    (txn, accesses) -> {});
            assertThat(second[0]).isEqualTo(Result.aborted(ConflictReasons.WAIT_DIE_DIED));
            assertThat(first).isEqualTo(Result.COMMITTED);
            cluster.assertAtRest();
            assertThat(cluster.read(SECOND, table, X)).isEqualTo(5);
        }
    }

    // Goal: a record that was locked and not written was read, at the commit timestamp, and no writer comes
    // before that.
    // Method: a transaction that must not commit before 30 declares updates and writes one record, or none;
    // X is written afterwards.
    @ForEveryCode
    void shouldLeaseALockedButUnwrittenRecordUntilItsCommit(HybridCode code) {
        for (boolean writesOther : new boolean[] {false, true}) {
            try (TestCluster cluster = start(LockTime.ACCESS, code)) {
                Table table = cluster.table(0);
                Procedure declaring = procedure(
                        txn -> {
                            txn.minCommitTs(30);
                            return List.of(txn.update(table, X), txn.update(table, V));
                        },
                        (txn, accesses) -> {
                            if (writesOther) {
                                accesses.get(1).putLong(VALUE, accesses.get(0).getLong(VALUE));
                            }
                        });
                assertThat(commitTs(cluster, declaring)).isEqualTo(30);
                cluster.assertAtRest();
                assertThat(commitTs(cluster, write(table, X, 7))).isEqualTo(31);
                cluster.assertAtRest();
            }
        }
    }

    @ForEveryCode
    void shouldDropAllLocksIfItAborts(HybridCode code) {
        try (TestCluster cluster = start(LockTime.ACCESS, code)) {
            Table table = cluster.table(0);
            Procedure all = procedure(
                    txn -> List.of(txn.update(table, X), txn.delete(table, V), txn.insert(table, MISSING)),
                    (txn, accesses) -> {
                        accesses.get(0).putLong(VALUE, 5);
                        Access last = txn.write(table, 4);
                        txn.fetch();
                        assertThat(last.exists()).isFalse();
                        txn.abort();
                    });
            assertThat(cluster.run(FIRST, all)).isEqualTo(Result.aborted(AbortReason.USER_ABORT));
            cluster.assertAtRest();
            assertThat(cluster.read(SECOND, table, X)).isEqualTo(X);
            assertThat(cluster.read(SECOND, table, V)).isEqualTo(V);
            assertThat(cluster.read(SECOND, table, MISSING)).isNull();
        }
    }

    // By RPC, one call fetches and locks, so a transaction takes a round trip less; one-sided, as many.
    @ForEveryCode
    void shouldLockByRpcInTheRoundTripThatFetches(HybridCode code) {
        Map<LockTime, Long> trips = new EnumMap<>(LockTime.class);
        for (LockTime lockTime : LockTime.values()) {
            try (TestCluster cluster = start(lockTime, code)) {
                Table table = cluster.table(0);
                Procedure both = procedure(
                        txn -> List.of(txn.update(table, X), txn.read(table, V)),
                        (txn, accesses) -> accesses.get(0).putLong(VALUE, 5));
                cluster.commit(FIRST, both); // addresses are known afterwards
                long before = cluster.metrics().roundTrips();
                cluster.commit(FIRST, both);
                trips.put(lockTime, cluster.metrics().roundTrips() - before);
                cluster.assertAtRest();
            }
        }
        int lock = protocol().stages().indexOf("lock");
        long spared = code.primitive(lock) == Primitive.RPC ? 1 : 0;
        assertThat(trips.get(LockTime.COMMIT) - trips.get(LockTime.ACCESS)).isEqualTo(spared);
    }
}
