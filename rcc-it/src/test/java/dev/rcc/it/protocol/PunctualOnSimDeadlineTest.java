package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.it.example.punctual.Punctual;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.transport.sim.FaultPlan;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** The promise of PUNCTUAL that no other protocol makes: deadlines, by a time that the nodes share, whatever their hosts' clocks show. */
class PunctualOnSimDeadlineTest extends ProtocolContract implements PunctualOnSim {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 100);
    private static final long KEY = 1;
    private static final long OTHER_KEY = 2;
    private static final long PATIENCE_NANOS = 1_000_000;
    private static final long PART_NANOS = PATIENCE_NANOS / 4;
    /** Covers one sleep of a one-sided wait, a tick, the errors of two clocks, and the delay of a message. */
    private static final long SLACK_NANOS = 100_000;

    private static final Procedure READ_AFTER_ALL = procedure(txn -> null, (txn, nothing) -> {});

    @Override
    public Protocol protocol() {
        return new Punctual(Duration.ofNanos(PATIENCE_NANOS));
    }

    @Override
    public FaultPlan faults() {
        return FaultPlan.NONE.withClocks(1_000_000_000, 50, 0);
    }

    @Override
    public boolean isTried(HybridCode code) {
        return true;
    }

    /** Starts hosts whose clocks are up to a second off, and lets time pass until the nodes have a common time. */
    private TestCluster startTogether(HybridCode code) {
        TestCluster cluster = start(config(code, SCHEMA).withRetries(RetryPolicy.NEVER), KEY, OTHER_KEY);
        pass(cluster, 5 * PATIENCE_NANOS);
        return cluster;
    }

    private static void pass(TestCluster cluster, long nanos) {
        cluster.embedded.await(Duration.ofNanos(nanos), () -> false);
    }

    private static long now(TestCluster cluster) {
        return ((SimulatedCluster) cluster.embedded).nanos();
    }

    /** Begins, waits until another transaction holds {@link #KEY}, and then updates it. */
    private static Procedure wanting(Table table, CountDownLatch begun, CountDownLatch held) {
        return procedure(txn -> txn.update(table, OTHER_KEY), (txn, other) -> {
            begun.countDown();
            while (held.getCount() > 0) {
                txn.coroutine().sleep(1_000);
            }
            Access wanted = txn.update(table, KEY);
            txn.fetch();
            wanted.putLong(VALUE, 7);
        });
    }

    @ForEveryCode
    void shouldWaitForALaterAttemptNoLongerThanUntilItsDeadline(HybridCode code) {
        try (TestCluster cluster = startTogether(code)) {
            Table table = cluster.table(0);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch held = new CountDownLatch(1);
            AtomicBoolean release = new AtomicBoolean();
            CompletableFuture<Result> earlier = cluster.spawn(0, 0, wanting(table, begun, held));
            cluster.await(begun);
            long beganNanos = now(cluster);
            pass(cluster, PART_NANOS);
            CompletableFuture<Result> later =
                    cluster.spawn(2, 0, AtomicityContract.waiting(write(table, KEY, 5), held, release));
            assertThat(cluster.await(earlier)).isEqualTo(Result.aborted(Punctual.DEADLINE_PASSED));
            assertThat(now(cluster) - beganNanos - PATIENCE_NANOS).isBetween(-SLACK_NANOS, SLACK_NANOS);
            release.set(true);
            assertThat(cluster.await(later)).isEqualTo(Result.COMMITTED);
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldHaveTheLockOfALaterAttemptThatEndsInTime(HybridCode code) {
        try (TestCluster cluster = startTogether(code)) {
            Table table = cluster.table(0);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch held = new CountDownLatch(1);
            AtomicBoolean release = new AtomicBoolean();
            CompletableFuture<Result> earlier = cluster.spawn(0, 0, wanting(table, begun, held));
            cluster.await(begun);
            pass(cluster, PART_NANOS);
            CompletableFuture<Result> later =
                    cluster.spawn(2, 0, AtomicityContract.waiting(write(table, KEY, 5), held, release));
            cluster.await(held);
            pass(cluster, PART_NANOS);
            assertThat(earlier).isNotDone();
            release.set(true);
            assertThat(cluster.await(later)).isEqualTo(Result.COMMITTED);
            assertThat(cluster.await(earlier)).isEqualTo(Result.COMMITTED);
            assertThat(cluster.read(1, table, KEY)).isEqualTo(7);
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldAbortAWriterThatMeetsAnEarlierAttemptOrReaders(HybridCode code) {
        try (TestCluster cluster = startTogether(code)) {
            Table table = cluster.table(0);
            Procedure read = procedure(txn -> txn.read(table, KEY), (txn, access) -> {});
            for (Procedure held : new Procedure[] {write(table, KEY, 5), read}) {
                for (int node = 0; node < 3; node++) {
                    CountDownLatch holding = new CountDownLatch(1);
                    AtomicBoolean release = new AtomicBoolean();
                    CompletableFuture<Result> earlier =
                            cluster.spawn(node, 0, AtomicityContract.waiting(held, holding, release));
                    cluster.await(holding);
                    pass(cluster, SLACK_NANOS);
                    assertThat(cluster.run((node + 1) % 3, write(table, KEY, 6)))
                            .isEqualTo(Result.aborted(AbortReason.LOCK_CONFLICT));
                    release.set(true);
                    assertThat(cluster.await(earlier)).isEqualTo(Result.COMMITTED);
                    pass(cluster, SLACK_NANOS);
                }
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldNotCommitAfterItsDeadline(HybridCode code) {
        try (TestCluster cluster = startTogether(code)) {
            Table table = cluster.table(0);
            assertThat(cluster.run(2, taking(PATIENCE_NANOS + SLACK_NANOS, write(table, KEY, 5))))
                    .isEqualTo(Result.aborted(Punctual.DEADLINE_PASSED));
            assertThat(cluster.run(2, taking(PATIENCE_NANOS + SLACK_NANOS, READ_AFTER_ALL)))
                    .isEqualTo(Result.aborted(Punctual.DEADLINE_PASSED));
            assertThat(cluster.read(0, table, KEY)).isEqualTo(KEY);
            cluster.commit(2, taking(PATIENCE_NANOS - 2 * SLACK_NANOS, write(table, KEY, 5)));
            assertThat(cluster.read(0, table, KEY)).isEqualTo(5);
            cluster.assertAtRest();
        }
    }

    private static Procedure taking(long nanos, Procedure procedure) {
        return procedure(
                txn -> {
                    procedure.declare(txn);
                    return null;
                },
                (txn, nothing) -> {
                    procedure.execute(txn);
                    txn.coroutine().sleep(nanos);
                });
    }
}
