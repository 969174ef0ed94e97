package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.Transaction;
import dev.rcc.it.protocol.TestCluster.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** A transaction that does not commit has no effect, whatever ended it: its user, an exception or a conflict. */
abstract class AtomicityContract extends ProtocolContract {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 100);
    /** Loaded: even keys. Others are missing. */
    private static final long[] LOADED = LongStream.range(0, 20).map(i -> 2 * i).toArray();

    /** Reads, updates, inserts and deletes on all nodes, makes all writes that it can, then does {@code last}. */
    private static Procedure touchEverything(Table table, Consumer<Transaction> last) {
        return procedure(
                txn -> {
                    for (long key = 0; key < 24; key++) {
                        switch ((int) key % 6) {
                            case 0 -> {
                                Access _ = key % 12 == 0 ? txn.update(table, key) : txn.write(table, key);
                            }
                            case 2 -> txn.delete(table, key);
                            case 4 -> txn.read(table, key);
                            case 5 -> {
                                Access _ = key % 12 == 5 ? txn.update(table, key) : txn.write(table, key);
                            }
                            default -> txn.insert(table, key);
                        }
                    }
                    return null;
                },
                (txn, nothing) -> {
                    for (int i = 0; i < txn.size(); i++) {
                        Access access = txn.access(i);
                        boolean replaces = access.intent() == Intent.UPDATE || access.intent() == Intent.WRITE;
                        if (access.intent() == Intent.INSERT || (replaces && access.exists())) {
                            access.putLong(VALUE, -1);
                        }
                    }
                    last.accept(txn);
                });
    }

    private static void assertUntouched(TestCluster cluster) {
        cluster.assertAtRest();
        for (long key = 0; key < 24; key++) {
            Long expected = key % 2 == 0 ? key : null;
            assertThat(cluster.read((int) key % 3, cluster.table(0), key))
                    .as("key %s", key)
                    .isEqualTo(expected);
        }
    }

    @ForEveryCode
    void shouldLeaveNothingOfAUserAbortAndNotRetryIt(HybridCode code) {
        try (TestCluster cluster = start(config(code, SCHEMA), LOADED)) {
            Result result = cluster.run(1, touchEverything(cluster.table(0), Transaction::abort));
            assertThat(result).isEqualTo(Result.aborted(AbortReason.USER_ABORT));
            assertThat(cluster.metrics().attempted()).isEqualTo(1);
            assertThat(cluster.metrics().aborts(AbortReason.USER_ABORT)).isEqualTo(1);
            assertUntouched(cluster);
        }
    }

    @ForEveryCode
    void shouldLeaveNothingOfAProcedureThatThrowsAndReportItsException(HybridCode code) {
        IllegalStateException mine = new IllegalStateException("mine");
        try (TestCluster cluster = start(config(code, SCHEMA), LOADED)) {
            Result result = cluster.run(1, touchEverything(cluster.table(0), txn -> {
                throw mine;
            }));
            assertThat(result.thrown()).isSameAs(mine);
            assertUntouched(cluster);
            cluster.commit(1, touchEverything(cluster.table(0), txn -> {}));
            assertThat(cluster.read(0, cluster.table(0), 0)).isEqualTo(-1);
        }
    }

    @ForEveryCode
    void shouldLeaveNothingOfAProcedureThatThrowsWhileItDeclares(HybridCode code) {
        IllegalStateException mine = new IllegalStateException("mine");
        try (TestCluster cluster = start(config(code, SCHEMA), LOADED)) {
            Table table = cluster.table(0);
            Result result = cluster.run(
                    1,
                    procedure(
                            txn -> {
                                txn.update(table, 0);
                                txn.insert(table, 1);
                                txn.fetch();
                                txn.update(table, 2);
                                throw mine;
                            },
                            (txn, nothing) -> {}));
            assertThat(result.thrown()).isSameAs(mine);
            assertUntouched(cluster);
        }
    }

    // Method: one transaction stops in the middle of its procedure while transactions on other nodes meet
    // all keys that it touched, one key at a time, with further keys that no other transaction wants.
    // Whether they abort or commit (before or after the first) is the protocol's choice; but they must do
    // either wholly.
    @ForEveryCode
    void shouldLeaveNothingOfAConflict(HybridCode code) {
        int contended = 24;
        long inserted = 100;
        long updated = 200;
        long deleted = 300;
        long[] loaded = LongStream.concat(
                        LongStream.of(LOADED),
                        LongStream.range(0, contended).flatMap(key -> LongStream.of(updated + key, deleted + key)))
                .toArray();
        try (TestCluster cluster = start(config(code, SCHEMA).withRetries(RetryPolicy.NEVER), loaded)) {
            Table table = cluster.table(0);
            CountDownLatch holding = new CountDownLatch(1);
            AtomicBoolean release = new AtomicBoolean();
            CompletableFuture<Result> holder =
                    cluster.spawn(0, 0, waiting(touchEverything(table, txn -> {}), holding, release));
            cluster.await(holding);
            List<List<Procedure>> meetTheHolder = List.of(new ArrayList<>(), new ArrayList<>());
            for (int i = 0; i < contended; i++) {
                long key = i;
                meetTheHolder
                        .get(i % 2)
                        .add(procedure(
                                txn -> List.of(
                                        txn.insert(table, inserted + key),
                                        txn.update(table, updated + key),
                                        txn.delete(table, deleted + key),
                                        txn.update(table, key)),
                                (txn, accesses) -> {
                                    accesses.get(0).putLong(VALUE, -2);
                                    accesses.get(1).putLong(VALUE, -2);
                                }));
            }
            List<CompletableFuture<List<Result>>> ends =
                    List.of(cluster.spawn(1, 0, meetTheHolder.get(0)), cluster.spawn(2, 0, meetTheHolder.get(1)));
            if (!waitsForLocks()) {
                ends.forEach(cluster::await);
            }
            release.set(true);
            boolean[] committed = new boolean[contended];
            for (int i = 0; i < contended; i++) {
                Result result = cluster.await(ends.get(i % 2)).get(i / 2);
                committed[i] = result.outcome() == Outcome.COMMITTED;
            }
            boolean holderCommitted = cluster.await(holder).outcome() == Outcome.COMMITTED;
            cluster.assertAtRest();
            for (int i = 0; i < contended; i++) {
                assertThat(cluster.read(0, table, inserted + i)).isEqualTo(committed[i] ? -2L : null);
                assertThat(cluster.read(1, table, updated + i)).isEqualTo(committed[i] ? -2L : updated + i);
                assertThat(cluster.read(2, table, deleted + i))
                        .isEqualTo(committed[i] ? null : Long.valueOf(deleted + i));
                Long before = i % 2 == 0 ? Long.valueOf(i) : null;
                Long after = switch (i % 6) {
                    case 0, 1, 3 -> -1L;
                    case 2 -> null;
                    default -> before;
                };
                assertThat(cluster.read(1, table, i)).as("key %s", i).isEqualTo(holderCommitted ? after : before);
            }
        }
    }

    // Goal: a conflict in a fetch in mid-procedure gives everything back, even if the procedure catches the
    // exception.
    @ForEveryCode
    void shouldNotCommitAProcedureThatContinuesAfterAConflict(HybridCode code) {
        try (TestCluster cluster = start(config(code, SCHEMA).withRetries(RetryPolicy.NEVER), LOADED)) {
            Table table = cluster.table(0);
            CountDownLatch holding = new CountDownLatch(1);
            AtomicBoolean release = new AtomicBoolean();
            CompletableFuture<Result> holder = cluster.spawn(0, 0, waiting(write(table, 0, -1), holding, release));
            cluster.await(holding);
            boolean[] caught = new boolean[1];
            CompletableFuture<Result> end = cluster.spawn(1, 0, procedure(txn -> txn.update(table, 2), (txn, first) -> {
                first.putLong(VALUE, -1);
                txn.insert(table, 1);
                txn.update(table, 0);
                try {
                    txn.fetch();
                } catch (RuntimeException e) {
                    caught[0] = true;
                }
            }));
            if (!waitsForLocks()) {
                cluster.await(end);
            }
            release.set(true);
            cluster.await(holder);
            Result result = cluster.await(end);
            assertThat(result.outcome()).isEqualTo(caught[0] ? Outcome.ABORTED : Outcome.COMMITTED);
            assertThat(cluster.read(2, table, 2)).isEqualTo(caught[0] ? 2 : -1);
            assertThat(cluster.read(2, table, 1)).isEqualTo(caught[0] ? null : Long.valueOf(0));
            cluster.assertAtRest();
        }
    }

    /** Runs a procedure, then stays in it until released. */
    static Procedure waiting(Procedure procedure, CountDownLatch holding, AtomicBoolean release) {
        return procedure(
                txn -> {
                    procedure.declare(txn);
                    return null;
                },
                (txn, nothing) -> {
                    procedure.execute(txn);
                    holding.countDown();
                    while (!release.get()) {
                        txn.coroutine().sleep(50_000);
                    }
                });
    }
}
