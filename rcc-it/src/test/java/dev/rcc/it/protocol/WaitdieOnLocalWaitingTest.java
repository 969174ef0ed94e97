package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.Transaction;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.waitdie.Waitdie;
import dev.rcc.server.config.ClusterConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which transactions wait for which under WAITDIE. The test sets the ages: each transaction's clock is moved before it
 * begins. The tuples are on node 1; clients are on nodes 0 and 2, whose requests node 1's only worker serves.
 */
class WaitdieOnLocalWaitingTest extends ProtocolContract implements OnLocal {
    @Override
    public Protocol protocol() {
        return new Waitdie();
    }

    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 1000);

    /** Long enough that no wait of these tests ends by itself. */
    private static final long FOR_EVER_NANOS = TimeUnit.MINUTES.toNanos(5);

    private static final int OLDEST = 1000;

    /** A minute of the cluster's life, which no clock reaches by itself. */
    private static final long LATER = TimeUnit.MINUTES.toNanos(1) / Timestamp.TICK_NANOS;

    /** Lets the next transaction of a coroutine begin one tick after so many ticks. */
    private static void moveClock(Transaction txn, long ticks) {
        txn.clock().observe(Timestamp.of(LATER + ticks, 0, 0));
    }

    /** A transaction on a coroutine of its own, which the test lets begin, ask for its lock, and end. */
    private static final class Client {
        final CountDownLatch asking = new CountDownLatch(1);
        final CountDownLatch holding = new CountDownLatch(1);
        volatile boolean released;
        volatile long age;
        final AtomicInteger attempts = new AtomicInteger();
        CompletableFuture<Result> end;

        void release() {
            released = true;
        }

        boolean isHolding() {
            return holding.getCount() == 0;
        }
    }

    private static Access declare(Transaction txn, Table table, long key, Intent intent) {
        return switch (intent) {
            case READ -> txn.read(table, key);
            case UPDATE -> txn.update(table, key);
            case INSERT -> txn.insert(table, key);
            case DELETE -> txn.delete(table, key);
            case WRITE -> txn.write(table, key);
        };
    }

    /** Starts a transaction of the age {@link #moveClock}({@code ticks}), which stays until released. */
    private static Client start(TestCluster cluster, int node, int coroutine, int ticks, long key, Intent intent) {
        Client client = new Client();
        client.end = new CompletableFuture<>();
        Table table = cluster.table(0);
        cluster.embedded.spawn(node, 0, coroutine, (runner, self) -> {
            Transaction txn = runner.transaction();
            moveClock(txn, ticks);
            Outcome outcome = runner.run(procedure(
                    t -> {
                        client.age = t.age();
                        client.attempts.incrementAndGet();
                        client.asking.countDown();
                        return declare(t, table, key, intent);
                    },
                    (t, access) -> {
                        client.holding.countDown();
                        while (!client.released) {
                            t.coroutine().sleep(20_000);
                        }
                        if (intent == Intent.UPDATE) {
                            access.putLong(VALUE, access.getLong(VALUE) + 1);
                        }
                    }));
            client.end.complete(new Result(outcome, txn.abortReason(), null));
        });
        return client;
    }

    private static Client holder(TestCluster cluster, int node, int coroutine, int ticks, long key, Intent intent) {
        Client client = start(cluster, node, coroutine, ticks, key, intent);
        cluster.await(client.holding);
        return client;
    }

    private TestCluster startCluster(HybridCode code, long waitNanos, RetryPolicy retries) {
        ClusterConfig config = ClusterConfig.of(new Waitdie(waitNanos), List.of(SCHEMA))
                .withCode(code)
                .withShape(3, 1, 8, 3)
                .withMemory(64 * 1024, 32 * 1024, 1024)
                .withRetries(retries);
        return start(config, LongStream.range(0, 100).toArray());
    }

    /** Waits for something that the cluster does by itself. */
    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as(what).isNegative();
            Thread.onSpinWait();
        }
    }

    // The place of a key's lock: the tuple of one that exists, shared and exclusive; the leaf of one that
    // is missing.
    private static final List<List<Intent>> CONFLICTS = List.of(
            List.of(Intent.UPDATE, Intent.UPDATE),
            List.of(Intent.UPDATE, Intent.READ),
            List.of(Intent.READ, Intent.UPDATE),
            List.of(Intent.READ, Intent.DELETE));

    private static final List<List<Intent>> CONFLICTS_ON_MISSING =
            List.of(List.of(Intent.INSERT, Intent.READ), List.of(Intent.READ, Intent.INSERT));

    private static final long MISSING = 1_000_000;

    @ForEveryCode
    void shouldLetTheOlderWaitUntilTheYoungerReleasesAndTheYoungerDie(HybridCode code) {
        try (TestCluster cluster = startCluster(code, FOR_EVER_NANOS, RetryPolicy.NEVER)) {
            long existing = keyOn(cluster, cluster.table(0), 1, 0);
            long missing = missingKeyOn(cluster, 1);
            int round = 0;
            for (List<Intent> conflict : CONFLICTS) {
                long key = conflict.get(1) == Intent.DELETE ? keyOn(cluster, cluster.table(0), 1, 1) : existing;
                checkConflict(cluster, round++, key, conflict.get(0), conflict.get(1));
            }
            for (List<Intent> conflict : CONFLICTS_ON_MISSING) {
                checkConflict(cluster, round++, missing, conflict.get(0), conflict.get(1));
                cluster.commit(0, delete(cluster.table(0), missing));
            }
            cluster.assertAtRest();
        }
    }

    private static void checkConflict(TestCluster cluster, int round, long key, Intent held, Intent wanted) {
        int ticks = 100_000 * round; // more than the round before has moved any clock
        Client holder = holder(cluster, 0, 0, ticks + 100, key, held);
        Client older = start(cluster, 2, 0, ticks, key, wanted);
        Client younger = start(cluster, 2, 1, ticks + 200, key, wanted);
        assertThat(cluster.await(younger.end))
                .as("%s holds, %s wants", held, wanted)
                .isEqualTo(Result.aborted(ConflictReasons.WAIT_DIE_DIED));
        cluster.await(older.asking);
        assertThat(older.isHolding()).isFalse();
        assertThat(older.end).isNotDone();
        holder.release();
        cluster.await(older.holding);
        older.release();
        assertThat(cluster.await(holder.end)).isEqualTo(Result.COMMITTED);
        assertThat(cluster.await(older.end)).isEqualTo(Result.COMMITTED);
        assertThat(older.attempts.get()).isEqualTo(1);
        assertThat(Timestamp.isBefore(older.age, holder.age)).isTrue();
    }

    private static long missingKeyOn(TestCluster cluster, int node) {
        long key = MISSING;
        while (cluster.embedded.catalog().placement().partition(KeyHash.of(key)) != node) {
            key++;
        }
        return key;
    }

    // Two transactions that hold the lock that the other wants, at the moment of a possible deadlock: the
    // older waits, the younger dies.
    @ForEveryCode
    void shouldPreventADeadlockByAbortingTheYoungerTransaction(HybridCode code) {
        try (TestCluster cluster = startCluster(code, FOR_EVER_NANOS, PATIENT)) {
            Table table = cluster.table(0);
            long first = keyOn(cluster, table, 1, 0);
            long second = keyOn(cluster, table, 2, 0);
            CountDownLatch bothHold = new CountDownLatch(2);
            List<CompletableFuture<Result>> ends = new ArrayList<>();
            int[] attempts = new int[2];
            for (int i = 0; i < 2; i++) {
                int node = 2 * i;
                int self = i;
                CompletableFuture<Result> end = new CompletableFuture<>();
                ends.add(end);
                cluster.embedded.spawn(node, 0, 0, (runner, coroutine) -> {
                    moveClock(runner.transaction(), 100L * self);
                    Outcome outcome = runner.run(procedure(
                            txn -> txn.update(table, self == 0 ? first : second), (txn, access) -> {
                                attempts[self]++;
                                bothHold.countDown();
                                while (bothHold.getCount() > 0) {
                                    txn.coroutine().sleep(20_000);
                                }
                                Access other = txn.update(table, self == 0 ? second : first);
                                txn.fetch();
                                access.putLong(VALUE, access.getLong(VALUE) + 1);
                                other.putLong(VALUE, other.getLong(VALUE) + 1);
                            }));
                    end.complete(new Result(outcome, runner.transaction().abortReason(), null));
                });
            }
            for (CompletableFuture<Result> end : ends) {
                assertThat(cluster.await(end)).isEqualTo(Result.COMMITTED);
            }
            assertThat(attempts[0]).as("attempts of the older").isEqualTo(1);
            assertThat(attempts[1]).as("attempts of the younger").isGreaterThan(1);
            assertThat(cluster.read(0, table, first)).isEqualTo(first + 2);
            assertThat(cluster.read(0, table, second)).isEqualTo(second + 2);
            cluster.assertAtRest();
        }
    }

    // A waiter that finds an older transaction in the holder's place dies: that transaction may come to
    // wait for it.
    @ForEveryCode
    void shouldAbortAOneSidedWaiterWhenAnOlderReaderSharesTheLock(HybridCode code) {
        try (TestCluster cluster = startCluster(code, FOR_EVER_NANOS, RetryPolicy.NEVER)) {
            long key = keyOn(cluster, cluster.table(0), 1, 0);
            Client reader = holder(cluster, 0, 0, OLDEST + 100, key, Intent.READ);
            Client writer = start(cluster, 2, 0, OLDEST + 50, key, Intent.UPDATE);
            cluster.await(writer.asking);
            Client olderReader = start(cluster, 2, 1, OLDEST, key, Intent.READ);
            // By RPC the older reader queues behind the writer; one-sided, it joins and the writer dies.
            if (code.isOneSided(0)) {
                cluster.await(olderReader.holding);
                assertThat(cluster.await(writer.end)).isEqualTo(Result.aborted(ConflictReasons.WAIT_DIE_DIED));
            }
            reader.release();
            writer.release();
            olderReader.release();
            assertThat(cluster.await(reader.end)).isEqualTo(Result.COMMITTED);
            assertThat(cluster.await(olderReader.end)).isEqualTo(Result.COMMITTED);
            cluster.await(writer.end);
            cluster.assertAtRest();
        }
    }

    Stream<HybridCode> codesThatLockByRpc() {
        return codes().stream().filter(code -> !code.isOneSided(0));
    }

    // Whether the holder releases by RPC or one-sided: the youngest waiter goes first, and no transaction
    // has to die.
    @ParameterizedTest(name = "code {0}")
    @MethodSource("codesThatLockByRpc")
    void shouldWakeWaitersInTheOrderOfTheirAgesYoungestFirst(HybridCode code) {
        try (TestCluster cluster = startCluster(code, FOR_EVER_NANOS, RetryPolicy.NEVER)) {
            long key = keyOn(cluster, cluster.table(0), 1, 0);
            Client holder = holder(cluster, 0, 0, OLDEST + 100, key, Intent.UPDATE);
            int[] ages = {30, 10, 40, 20};
            List<Client> waiters = new ArrayList<>();
            for (int i = 0; i < ages.length; i++) {
                waiters.add(start(cluster, 2, i, OLDEST + ages[i], key, Intent.UPDATE));
            }
            waiters.forEach(waiter -> cluster.await(waiter.asking));
            settle(cluster);
            holder.release();
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < ages.length; i++) {
                await("somebody gets the lock", () -> waiters.stream().anyMatch(w -> w.isHolding() && !w.released));
                for (int w = 0; w < ages.length; w++) {
                    if (waiters.get(w).isHolding() && !waiters.get(w).released) {
                        order.add(ages[w]);
                        waiters.get(w).release();
                    }
                }
            }
            assertThat(order).containsExactly(40, 30, 20, 10);
            for (Client waiter : waiters) {
                assertThat(cluster.await(waiter.end)).isEqualTo(Result.COMMITTED);
            }
            assertThat(cluster.read(0, cluster.table(0), key)).isEqualTo(key + 1 + ages.length);
            cluster.assertAtRest();
        }
    }

    /** Node 1 has handled all requests of node 2 so far: a later request from there to there has been answered. */
    private static void settle(TestCluster cluster) {
        for (int i = 0; i < 2; i++) {
            long key = keyOn(cluster, cluster.table(0), 1, 5);
            Procedure reading = procedure(txn -> txn.read(cluster.table(0), key), (txn, access) -> {});
            assertThat(cluster.run(2, 7, reading)).isEqualTo(Result.COMMITTED);
        }
    }

    @Test
    void shouldAbortAWaiterBeyondTheLimitAndServeAllOthers() {
        int waitersMax = 256;
        ClusterConfig config = ClusterConfig.of(new Waitdie(FOR_EVER_NANOS), List.of(SCHEMA))
                .withCode(HybridCode.uniform(protocol(), Primitive.RPC))
                .withShape(2, 1, waitersMax + 3, 1)
                .withMemory(64 * 1024, 8 * 1024, 1024)
                .withRetries(RetryPolicy.NEVER);
        try (TestCluster cluster = start(config, LongStream.range(0, 100).toArray())) {
            Table table = cluster.table(0);
            long key = keyOn(cluster, table, 1, 0);
            Client holder = holder(cluster, 0, 0, 2 * OLDEST, key, Intent.UPDATE);
            List<Client> waiters = new ArrayList<>();
            for (int i = 0; i < waitersMax; i++) {
                waiters.add(start(cluster, 0, i + 1, OLDEST + i, key, Intent.UPDATE));
                waiters.get(i).release();
            }
            waiters.forEach(waiter -> cluster.await(waiter.asking));
            Client tooMany = start(cluster, 0, waitersMax + 1, OLDEST - 1, key, Intent.UPDATE);
            assertThat(cluster.await(tooMany.end)).isEqualTo(Result.aborted(AbortReason.LOCK_CONFLICT));
            holder.release();
            for (Client waiter : waiters) {
                assertThat(cluster.await(waiter.end)).isEqualTo(Result.COMMITTED);
            }
            assertThat(cluster.await(holder.end)).isEqualTo(Result.COMMITTED);
            assertThat(cluster.read(0, table, key)).isEqualTo(key + waitersMax + 1);
            cluster.assertAtRest();
        }
    }

    // By RPC, a writer that waits is not overtaken by younger readers, which could share the lock with its
    // holders.
    @ParameterizedTest(name = "code {0}")
    @MethodSource("codesThatLockByRpc")
    void shouldNotLetYoungerReadersOvertakeAWaitingWriter(HybridCode code) {
        try (TestCluster cluster = startCluster(code, FOR_EVER_NANOS, RetryPolicy.NEVER)) {
            long key = keyOn(cluster, cluster.table(0), 1, 0);
            Client reader = holder(cluster, 0, 0, OLDEST + 100, key, Intent.READ);
            Client writer = start(cluster, 2, 0, OLDEST + 50, key, Intent.UPDATE);
            cluster.await(writer.asking);
            settle(cluster);
            Client youngReader = start(cluster, 2, 1, OLDEST + 200, key, Intent.READ);
            assertThat(cluster.await(youngReader.end)).isEqualTo(Result.aborted(ConflictReasons.WAIT_DIE_DIED));
            Client oldReader = start(cluster, 2, 2, OLDEST, key, Intent.READ);
            cluster.await(oldReader.asking);
            settle(cluster);
            assertThat(oldReader.isHolding()).isFalse();
            reader.release();
            cluster.await(writer.holding);
            assertThat(oldReader.isHolding()).isFalse();
            writer.release();
            cluster.await(oldReader.holding);
            oldReader.release();
            for (Client client : List.of(reader, writer, oldReader)) {
                assertThat(cluster.await(client.end)).isEqualTo(Result.COMMITTED);
            }
            cluster.assertAtRest();
        }
    }

    // Method: younger transactions keep a record busy, one after the other on every coroutine of two nodes.
    // The oldest waits for any holder, and so commits in its first attempt. By RPC it does so in spite of
    // them, as a waiter comes before later requests. One-sided, the first to ask for a free lock gets it, so
    // the oldest commits at the latest when they are done.
    @ForEveryCode
    void shouldNeverLetTheOldestDie(HybridCode code) {
        try (TestCluster cluster = startCluster(code, FOR_EVER_NANOS, PATIENT)) {
            Table table = cluster.table(0);
            long key = keyOn(cluster, table, 1, 0);
            AtomicBoolean done = new AtomicBoolean();
            AtomicInteger commits = new AtomicInteger();
            List<CompletableFuture<Void>> ends = cluster.onNodes(List.of(0, 2), (runner, self) -> {
                moveClock(runner.transaction(), OLDEST + 100);
                while (!done.get()) {
                    assertThat(runner.run(change(table, key, value -> value + 1)))
                            .isEqualTo(Outcome.COMMITTED);
                    commits.incrementAndGet();
                }
            });
            await("the record is busy", () -> commits.get() > 20);
            Client oldest = start(cluster, 1, 0, OLDEST, key, Intent.UPDATE);
            oldest.release();
            if (code.isOneSided(0)) {
                int soFar = commits.get();
                await("the others go on", () -> oldest.end.isDone() || commits.get() > soFar + 100);
                done.set(true);
            }
            assertThat(cluster.await(oldest.end)).isEqualTo(Result.COMMITTED);
            assertThat(oldest.attempts.get()).isEqualTo(1);
            done.set(true);
            cluster.awaitAll(ends);
            assertThat(cluster.read(0, table, key)).isEqualTo(key + commits.get() + 1);
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldKeepItsAgeFromAttemptToAttempt(HybridCode code) {
        try (TestCluster cluster = startCluster(code, FOR_EVER_NANOS, PATIENT)) {
            long key = keyOn(cluster, cluster.table(0), 1, 0);
            Client older = holder(cluster, 0, 0, OLDEST, key, Intent.UPDATE);
            Client dying = start(cluster, 2, 0, OLDEST + 100, key, Intent.UPDATE);
            await("it dies and tries again", () -> dying.attempts.get() > 3);
            long age = dying.age;
            Client younger = start(cluster, 2, 1, OLDEST + 10_000_000, key, Intent.UPDATE);
            await("so does the younger", () -> younger.attempts.get() > 3);
            older.release();
            dying.release();
            younger.release();
            assertThat(cluster.await(older.end)).isEqualTo(Result.COMMITTED);
            assertThat(cluster.await(dying.end)).isEqualTo(Result.COMMITTED);
            assertThat(cluster.await(younger.end)).isEqualTo(Result.COMMITTED);
            assertThat(dying.age).isEqualTo(age);
            assertThat(Timestamp.clock(dying.age)).isEqualTo(LATER + OLDEST + 101);
        }
    }

    @ForEveryCode
    void shouldStopWaitingForAHolderThatNeverReleases(HybridCode code) {
        try (TestCluster cluster = startCluster(code, TimeUnit.MILLISECONDS.toNanos(1), RetryPolicy.NEVER)) {
            long key = keyOn(cluster, cluster.table(0), 1, 0);
            Client holder = holder(cluster, 0, 0, OLDEST + 100, key, Intent.UPDATE);
            Client waiter = start(cluster, 2, 0, OLDEST, key, Intent.UPDATE);
            assertThat(cluster.await(waiter.end)).isEqualTo(Result.aborted(ConflictReasons.WAIT_TIMEOUT));
            holder.release();
            assertThat(cluster.await(holder.end)).isEqualTo(Result.COMMITTED);
            cluster.assertAtRest();
        }
    }

    // A request of many keys that waits in its middle holds the locks that it got before and gets those that
    // come after; when it gives up, all its locks are free.
    @ForEveryCode
    void shouldWaitInTheMiddleOfARequestAndReleaseAllOfItInTheEnd(HybridCode code) {
        for (boolean givesUp : new boolean[] {false, true}) {
            long waitNanos = givesUp ? TimeUnit.MILLISECONDS.toNanos(1) : FOR_EVER_NANOS;
            try (TestCluster cluster = startCluster(code, waitNanos, RetryPolicy.NEVER)) {
                Table table = cluster.table(0);
                List<Client> holders = Collections.synchronizedList(new ArrayList<>());
                for (int i = 2; i < 8; i += 2) {
                    holders.add(
                            holder(cluster, 0, i / 2, OLDEST + 100 + i, keyOn(cluster, table, 1, i), Intent.UPDATE));
                }
                CompletableFuture<Result> end = new CompletableFuture<>();
                CountDownLatch asking = new CountDownLatch(1);
                cluster.embedded.spawn(2, 0, 0, (runner, self) -> {
                    moveClock(runner.transaction(), 0);
                    Outcome outcome = runner.run(procedure(
                            txn -> {
                                List<Access> accesses = new ArrayList<>();
                                for (int i = 0; i < 10; i++) {
                                    accesses.add(txn.update(table, keyOn(cluster, table, 1, i)));
                                    accesses.add(txn.delete(table, keyOn(cluster, table, 2, i)));
                                }
                                asking.countDown();
                                return accesses;
                            },
                            (txn, accesses) -> accesses.stream()
                                    .filter(access -> access.intent() == Intent.UPDATE)
                                    .forEach(access -> access.putLong(VALUE, -1))));
                    end.complete(new Result(outcome, runner.transaction().abortReason(), null));
                });
                cluster.await(asking);
                if (givesUp) {
                    assertThat(cluster.await(end)).isEqualTo(Result.aborted(ConflictReasons.WAIT_TIMEOUT));
                }
                for (Client holder : holders) {
                    assertThat(givesUp || !end.isDone()).isTrue();
                    holder.release();
                    assertThat(cluster.await(holder.end)).isEqualTo(Result.COMMITTED);
                }
                if (!givesUp) {
                    assertThat(cluster.await(end)).isEqualTo(Result.COMMITTED);
                }
                cluster.assertAtRest();
                for (int i = 0; i < 10; i++) {
                    long key = keyOn(cluster, table, 1, i);
                    long untouched = i >= 2 && i < 8 && i % 2 == 0 ? key + 1 : key;
                    assertThat(cluster.read(0, table, key)).isEqualTo(givesUp ? untouched : -1);
                    long deleted = keyOn(cluster, table, 2, i);
                    assertThat(cluster.read(0, table, deleted)).isEqualTo(givesUp ? (Long) deleted : null);
                }
            }
        }
    }
}
