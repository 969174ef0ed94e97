package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.node.Client;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A node stops in the middle of transactions. None hangs; transactions that need the node end as unreachable, the others
 * go on; the live nodes are left without locks, and with backups that equal their primaries. Four nodes, two replicas:
 * when node 3 stops, partition 3 has lost its primary and partition 2 its backup, partitions 0 and 1 have lost nothing.
 */
abstract class FailureContract extends ProtocolContract {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 64);
    /** Written by clients on the node that stops only: recovery ends their transactions, not the clients. */
    private static final TableSchema DOOMED = TableSchema.ofLongKeys(1, "doomed", 8, 64);

    private static final int STOPPED = 3;
    private static final List<Integer> ALIVE = List.of(0, 1, 2);
    private static final int KEYS_PER_NODE = 3;
    private static final int CONFLICTS_MAX = 20;

    /** The smallest rings: entries that are not replayed any more fill them soon. */
    private TestCluster startFour(HybridCode code) {
        ClusterConfig config = config(code, SCHEMA, DOOMED)
                .withShape(4, 1, 3, 2)
                .withMemory(4096, 32 * 1024, 1024)
                .withPatience(patience());
        return start(config, cluster -> {
            for (int node = 0; node < 4; node++) {
                for (int i = 0; i < KEYS_PER_NODE; i++) {
                    cluster.loader.load(cluster.table(0), key(cluster, node, i), value(100));
                    cluster.loader.load(cluster.table(1), key(cluster, node, i), value(100));
                }
            }
        });
    }

    private static long key(TestCluster cluster, int node, int i) {
        return keyOn(cluster, cluster.table(0), node, i);
    }

    // Node 3 has no clients: it is a participant and a backup, and the locks on all others must be free in the end.
    @ForEveryCode
    void shouldContinueWithoutAParticipantAndBackupThatStops(HybridCode code) {
        try (TestCluster cluster = startFour(code)) {
            Table table = cluster.table(0);
            CountDownLatch underWay = new CountDownLatch(ALIVE.size() * 3);
            AtomicInteger unreachable = new AtomicInteger();
            List<CompletableFuture<Void>> ends =
                    cluster.onNodes(ALIVE, transfersUntilUnreachable(cluster, table, underWay, unreachable));
            cluster.await(underWay);
            cluster.embedded.stopNode(STOPPED);
            cluster.awaitAll(ends);
            assertThat(unreachable.get()).isEqualTo(ends.size());
            assertOnlyTheStoppedNodeIsMissed(cluster, table);
            cluster.assertAtRest();
        }
    }

    // Node 3's clients die with it. Their locks and undecided entries wait for recovery, in their own table;
    // all other locks are free in the end.
    @ForEveryCode
    void shouldContinueWithoutACoordinatorThatStops(HybridCode code) {
        try (TestCluster cluster = startFour(code)) {
            Table table = cluster.table(0);
            CountDownLatch underWay = new CountDownLatch(ALIVE.size() * 3 + 3);
            AtomicInteger unreachable = new AtomicInteger();
            cluster.onNodes(
                    List.of(STOPPED),
                    transfersUntilUnreachable(cluster, cluster.table(1), underWay, new AtomicInteger()));
            List<CompletableFuture<Void>> ends =
                    cluster.onNodes(ALIVE, transfersUntilUnreachable(cluster, table, underWay, unreachable));
            cluster.await(underWay);
            cluster.embedded.stopNode(STOPPED);
            cluster.awaitAll(ends);
            assertThat(unreachable.get()).isEqualTo(ends.size());
            assertOnlyTheStoppedNodeIsMissed(cluster, table);
            assertThat(cluster.embedded.quiesce(TestCluster.HANG)).isTrue();
            assertThat(cluster.embedded.inspect().violations())
                    .as("violations in %s", cluster)
                    .allMatch(violation -> violation.startsWith("table doomed"));
        }
    }

    // A backup that is gone lets no write through to the other backups' copies either.
    @ForEveryCode
    void shouldNotReplayATransactionAbortedBecauseABackupIsGone(HybridCode code) {
        int commits = rounds(10);
        try (TestCluster cluster = startFour(code)) {
            Table table = cluster.table(0);
            cluster.embedded.stopNode(STOPPED);
            awaitThatAllMissIt(cluster, table);
            long healthy = key(cluster, 0, 0);
            long withoutBackup = key(cluster, 2, 0);
            long missing = key(cluster, 0, KEYS_PER_NODE);
            Supplier<Procedure> bothPartitions = () -> procedure(
                    txn -> List.of(
                            txn.update(table, healthy), txn.update(table, withoutBackup), txn.insert(table, missing)),
                    (txn, accesses) -> accesses.forEach(access -> access.putLong(VALUE, -1)));
            // All at once, as each node tries the one that is gone for some time before it counts as dead.
            cluster.awaitAll(cluster.onNodes(
                    ALIVE,
                    (runner, self) ->
                            assertThat(runner.run(bothPartitions.get())).isEqualTo(Outcome.ABORTED)));
            for (int i = 0; i < 10 * commits; i++) {
                assertThat(cluster.run(i % 3, bothPartitions.get()))
                        .isEqualTo(Result.aborted(AbortReason.PEER_UNREACHABLE));
                if (i % 10 == 0) {
                    cluster.commit(i % 3, write(table, healthy, i));
                }
            }
            assertThat(cluster.read(0, table, healthy)).isEqualTo(10L * (commits - 1));
            assertThat(cluster.read(1, table, withoutBackup)).isEqualTo(100);
            assertThat(cluster.read(1, table, missing)).isNull();
            cluster.assertAtRest();
        }
    }

    /** In shared memory, writes to a node that has just gone arrive until its death is noticed. */
    private static void awaitThatAllMissIt(TestCluster cluster, Table table) {
        Procedure needsIt = procedure(txn -> txn.read(table, key(cluster, STOPPED, 0)), (txn, access) -> {});
        for (int node : ALIVE) {
            Result result = cluster.run(node, needsIt);
            while (result.equals(Result.COMMITTED)) {
                result = cluster.run(node, needsIt);
            }
            assertThat(result).isEqualTo(Result.aborted(AbortReason.PEER_UNREACHABLE));
        }
    }

    /** Moves money between random keys until a transaction cannot reach a node, then between keys that do not need the node. */
    private Client transfersUntilUnreachable(
            TestCluster cluster, Table table, CountDownLatch underWay, AtomicInteger unreachable) {
        return (runner, self) -> {
            int commits = 0;
            while (true) {
                long from = key(cluster, self.worker().random(4), self.worker().random(KEYS_PER_NODE));
                long to = key(cluster, self.worker().random(4), self.worker().random(KEYS_PER_NODE));
                if (from != to && run(runner, table, from, to) != null) {
                    break;
                }
                if (++commits == rounds(10)) {
                    underWay.countDown();
                }
            }
            unreachable.incrementAndGet();
            for (int i = 0; i < rounds(20); i++) {
                long from = key(cluster, i % 2, self.worker().random(KEYS_PER_NODE));
                long to = key(cluster, 1 - i % 2, self.worker().random(KEYS_PER_NODE));
                assertThat(run(runner, table, from, to)).isNull();
            }
        };
    }

    /** Returns null when it has committed; when not, the reason for which the transfer is not tried again: there is only one. */
    private static AbortReason run(TransactionRunner runner, Table table, long from, long to) {
        Procedure transfer =
                procedure(txn -> List.of(txn.update(table, from), txn.update(table, to)), (txn, accesses) -> {
                    accesses.get(0).putLong(VALUE, accesses.get(0).getLong(VALUE) - 1);
                    accesses.get(1).putLong(VALUE, accesses.get(1).getLong(VALUE) + 1);
                });
        // A holder finds out by a time-out that a node is gone. On a slow machine that outlasts another's attempts.
        for (int times = 0; times < CONFLICTS_MAX; times++) {
            if (runner.run(transfer) == Outcome.COMMITTED) {
                return null;
            }
            if (runner.transaction().abortReason().equals(AbortReason.PEER_UNREACHABLE)) {
                return AbortReason.PEER_UNREACHABLE;
            }
        }
        throw new AssertionError("no transfer in " + CONFLICTS_MAX + " times all attempts, the last was "
                + runner.transaction().abortReason());
    }

    private static void assertOnlyTheStoppedNodeIsMissed(TestCluster cluster, Table table) {
        Result unreachable = Result.aborted(AbortReason.PEER_UNREACHABLE);
        for (int node : ALIVE) {
            List<Result> results = new ArrayList<>();
            for (int partition = 0; partition < 4; partition++) {
                long key = key(cluster, partition, 0);
                results.add(cluster.run(
                        node, procedure(txn -> txn.read(table, key), (txn, access) -> access.getLong(VALUE))));
                results.add(cluster.run(node, change(table, key, value -> value + 1)));
            }
            assertThat(results)
                    .as("read, write partitions 0 to 3 from node %s", node)
                    .containsExactly(
                            Result.COMMITTED,
                            Result.COMMITTED,
                            Result.COMMITTED,
                            Result.COMMITTED,
                            Result.COMMITTED,
                            unreachable,
                            unreachable,
                            unreachable);
        }
    }
}
