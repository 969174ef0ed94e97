package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A node of four stops while all of them move amounts between the records, and is replaced. In real time: the simulation has
 * thousands of such deaths ({@link VerifyTest}). Which of the transfers under way at the dead node have committed is not
 * known, but each has as a whole or not at all, so the sum stays the same.
 */
@EachProtocol.All
class FailoverOnLocalTest extends ProtocolContract {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "accounts", 8, 64);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int KEYS = 24;
    private static final long INITIAL = 1000;

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger committed = new AtomicInteger();

    @Override
    public Protocol protocol() {
        return parameter();
    }

    @Override
    public Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    @Override
    public int maxCodes() {
        return OnNetwork.uniformAnd(0);
    }

    @Override
    public EmbeddedCluster newCluster(ClusterConfig config) {
        return new EmbeddedCluster(config);
    }

    @ForEveryCode
    void shouldContinueAndConserveTheSumWhenANodeIsLost(HybridCode code) {
        over.set(false);
        committed.set(0);
        try (TestCluster cluster = start(code, 4, 3)) {
            List<CompletableFuture<Void>> ends = cluster.onNodes(List.of(0, 1, 2), this::transfer);
            cluster.onNodes(List.of(3), this::transfer);
            awaitCommits(cluster, 300);
            cluster.embedded.stopNode(3);
            assertThat(cluster.embedded.await(PATIENCE, cluster.embedded::isReconfigured))
                    .as("%s is reconfigured", cluster)
                    .isTrue();
            awaitCommits(cluster, committed.get() + 300);
            over.set(true);
            cluster.awaitAll(ends);
            cluster.assertAtRest();
            assertThat(sum(cluster)).isEqualTo(KEYS * INITIAL);
        }
    }

    @Test
    void shouldLoseTwoNodesOneAfterTheOther() {
        over.set(false);
        committed.set(0);
        try (TestCluster cluster = start(codes().getFirst(), 5, 4)) { // two copies of everything are left
            List<CompletableFuture<Void>> ends = cluster.onNodes(List.of(1, 2, 4), this::transfer);
            cluster.onNodes(List.of(0, 3), this::transfer);
            awaitCommits(cluster, 100);
            cluster.embedded.stopNode(0);
            cluster.embedded.stopNode(3); // perhaps in the middle of the first one's recovery
            assertThat(cluster.embedded.await(PATIENCE, cluster.embedded::isReconfigured))
                    .isTrue();
            awaitCommits(cluster, committed.get() + 100);
            over.set(true);
            cluster.awaitAll(ends);
            cluster.assertAtRest();
            assertThat(sum(cluster)).isEqualTo(KEYS * INITIAL);
        }
    }

    // Goal: a write to a replicated table, which concerns every node, has taken place everywhere or nowhere
    // when a node is lost; the other nodes, whose own tuples are there, read on.
    // Method: a transaction that writes reads the last value; under MVCC a reader may see an earlier one.
    @ForEveryCode
    void shouldHaveAReplicatedTableAlikeEverywhereWhenANodeIsLost(HybridCode code) {
        over.set(false);
        committed.set(0);
        TableSchema replicated = TableSchema.ofLongKeys(0, "counters", 8, 64).replicated();
        ClusterConfig config = config(code, replicated).withShape(4, 1, 3, 3).withRecovery(PATIENCE);
        try (TestCluster cluster = start(config, 0, 1)) {
            List<CompletableFuture<Void>> ends = cluster.onNodes(List.of(0, 1, 2), this::count);
            cluster.onNodes(List.of(3), this::count);
            awaitCommits(cluster, 200);
            cluster.embedded.stopNode(3);
            assertThat(cluster.embedded.await(PATIENCE, cluster.embedded::isReconfigured))
                    .as("%s is reconfigured", cluster)
                    .isTrue();
            awaitCommits(cluster, committed.get() + 200);
            over.set(true);
            cluster.awaitAll(ends);
            cluster.assertAtRest();
            int lost = 3; // transactions under way on the dead node may have committed
            long count = last(cluster, 0, 0);
            assertThat(count).isBetween((long) committed.get(), (long) committed.get() + lost);
            for (int node = 0; node < 3; node++) {
                assertThat(last(cluster, node, 0)).isEqualTo(count);
                assertThat(last(cluster, node, 1)).isEqualTo(count + 1);
            }
        }
    }

    /** A record as its writers see it. */
    private static long last(TestCluster cluster, int node, long key) {
        long[] last = new long[1];
        cluster.commit(node, procedure(txn -> List.of(txn.update(cluster.table(0), key)), (txn, counters) -> {
            last[0] = counters.getFirst().getLong(VALUE);
            counters.getFirst().putLong(VALUE, last[0]);
        }));
        return last[0];
    }

    /** Counts up both records, which differ by 1, and reads them. */
    private void count(TransactionRunner runner, Coroutine self) {
        Table table = runner.transaction().catalog().table(0);
        Procedure add = procedure(
                txn -> List.of(txn.update(table, 0), txn.update(table, 1)),
                (txn, counters) -> counters.forEach(each -> each.putLong(VALUE, each.getLong(VALUE) + 1)));
        long[] difference = new long[1];
        Procedure compare = procedure(
                txn -> List.of(txn.read(table, 0), txn.read(table, 1)),
                (txn, counters) -> difference[0] =
                        counters.get(1).getLong(VALUE) - counters.get(0).getLong(VALUE));
        while (!over.get()) {
            if (runner.run(add) == Outcome.COMMITTED) {
                committed.incrementAndGet();
            }
            if (runner.run(compare) == Outcome.COMMITTED) {
                assertThat(difference[0]).isEqualTo(1);
            }
        }
    }

    private TestCluster start(HybridCode code, int nodes, int replicas) {
        ClusterConfig config =
                config(code, SCHEMA).withShape(nodes, 1, 3, replicas).withRecovery(PATIENCE);
        return start(config, cluster -> {
            for (long key = 0; key < KEYS; key++) {
                cluster.loader.load(cluster.table(0), key, value(INITIAL));
            }
        });
    }

    private void transfer(TransactionRunner runner, Coroutine self) {
        Table table = runner.transaction().catalog().table(0);
        while (!over.get()) {
            long from = self.worker().random(KEYS);
            long to = (from + 1 + self.worker().random(KEYS - 1)) % KEYS;
            Procedure procedure =
                    procedure(txn -> List.of(txn.update(table, from), txn.update(table, to)), (txn, accesses) -> {
                        accesses.get(0).putLong(VALUE, accesses.get(0).getLong(VALUE) - 1);
                        accesses.get(1).putLong(VALUE, accesses.get(1).getLong(VALUE) + 1);
                    });
            if (runner.run(procedure) == Outcome.COMMITTED) {
                committed.incrementAndGet();
            }
        }
    }

    private void awaitCommits(TestCluster cluster, int count) {
        assertThat(cluster.embedded.await(PATIENCE, () -> committed.get() >= count))
                .as("%s commits: %s of %s", cluster, committed, count)
                .isTrue();
    }

    /** In one transaction: under MVCC several could be at several times. */
    private static long sum(TestCluster cluster) {
        long[] sum = new long[1];
        cluster.commit(
                1,
                procedure(
                        txn -> {
                            List<Access> all = new ArrayList<>();
                            for (long key = 0; key < KEYS; key++) {
                                all.add(txn.read(cluster.table(0), key));
                            }
                            return all;
                        },
                        (txn, all) -> sum[0] = all.stream()
                                .mapToLong(access -> access.getLong(VALUE))
                                .sum()));
        return sum[0];
    }
}
