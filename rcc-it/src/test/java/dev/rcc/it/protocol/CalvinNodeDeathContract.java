package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.it.protocol.TestCluster.Result;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A coordinator dies in the middle of a transaction whose locks its participants hold. Only recovery could decide
 * whether it has committed, so the keys that it may have written stay locked. A transaction that needs them ends as
 * unreachable instead of waiting for ever. Four nodes, two replicas; node 3 stops.
 */
abstract class CalvinNodeDeathContract extends ProtocolContract {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 64);
    private static final int STOPPED = 3;
    private static final Result UNREACHABLE = Result.aborted(AbortReason.PEER_UNREACHABLE);

    /** Drawn more often than the contracts that all protocols share. */
    @Override
    public int oneIn() {
        return 4;
    }

    @ForEveryCode
    void shouldAbortTransactionsOnKeysThatADeadCoordinatorMayHaveWritten(HybridCode code) {
        for (int workers = 1; workers <= 2; workers++) {
            try (TestCluster cluster =
                    start(config(code, SCHEMA).withShape(4, workers, 4, 2).withPatience(patience()), c -> {
                        for (int node = 0; node < 4; node++) {
                            c.loader.load(c.table(0), keyOn(c, c.table(0), node, 0), value(node));
                            c.loader.load(c.table(0), keyOn(c, c.table(0), node, 1), value(node));
                        }
                    })) {
                Table table = cluster.table(0);
                long written = keyOn(cluster, table, 0, 0);
                long read = keyOn(cluster, table, 1, 0);
                long untouched = keyOn(cluster, table, 1, 1);
                CountDownLatch holding = new CountDownLatch(1);
                CompletableFuture<Result> doomed = cluster.spawn(
                        STOPPED,
                        0,
                        AtomicityContract.waiting(
                                procedure(
                                        txn -> List.of(txn.update(table, written), txn.read(table, read)),
                                        (txn, accesses) -> accesses.get(0).putLong(VALUE, -1)),
                                holding,
                                new AtomicBoolean()));
                cluster.await(holding);
                CompletableFuture<Result> waitsToWrite = cluster.spawn(0, 0, write(table, written, 5));
                CompletableFuture<Result> waitsToRead = cluster.spawn(
                        1, 0, procedure(txn -> txn.read(table, written), (txn, access) -> access.getLong(VALUE)));
                // The third waits for the first and would not have to wait for the dead one.
                CompletableFuture<Result> waitsForBoth = cluster.spawn(
                        2,
                        0,
                        procedure(
                                txn -> List.of(txn.update(table, written), txn.update(table, untouched)),
                                (txn, accesses) -> {}));
                // A passive participant has dropped its locks long ago. The coroutine waits for nothing.
                assertThat(cluster.run(1, 1, write(table, read, 6))).isEqualTo(Result.COMMITTED);

                cluster.embedded.stopNode(STOPPED);

                assertThat(cluster.await(waitsToWrite)).isEqualTo(UNREACHABLE);
                assertThat(cluster.await(waitsToRead)).isEqualTo(UNREACHABLE);
                assertThat(cluster.await(waitsForBoth)).isEqualTo(UNREACHABLE);
                for (int node = 0; node < 3; node++) {
                    assertThat(cluster.run(node, write(table, written, 7))).isEqualTo(UNREACHABLE);
                    cluster.commit(node, write(table, untouched, 10 + node));
                    assertThat(cluster.read((node + 1) % 3, table, untouched)).isEqualTo(10 + node);
                    assertThat(cluster.read(node, table, read)).isEqualTo(6);
                }
                assertThat(doomed).isNotDone();
                cluster.assertAtRest();
            }
        }
    }

    // Node 3 holds keys that living coordinators have locked elsewhere, too: they drop those locks.
    @ForEveryCode
    void shouldDropTheLocksOfTransactionsThatAParticipantsDeathEnds(HybridCode code) {
        try (TestCluster cluster =
                start(config(code, SCHEMA).withShape(4, 1, 4, 2).withPatience(patience()), c -> {
                    for (int node = 0; node < 4; node++) {
                        c.loader.load(c.table(0), keyOn(c, c.table(0), node, 0), value(node));
                    }
                })) {
            Table table = cluster.table(0);
            long living = keyOn(cluster, table, 0, 0);
            long missing = keyOn(cluster, table, 1, 5);
            long lost = keyOn(cluster, table, STOPPED, 0);
            CountDownLatch holding = new CountDownLatch(1);
            AtomicBoolean release = new AtomicBoolean();
            CompletableFuture<Result> holder =
                    cluster.spawn(0, 0, AtomicityContract.waiting(write(table, lost, 8), holding, release));
            cluster.await(holding);
            CompletableFuture<Result> waits = cluster.spawn(
                    1,
                    0,
                    procedure(
                            txn -> List.of(
                                    txn.update(table, living), txn.update(table, lost), txn.insert(table, missing)),
                            (txn, accesses) -> {
                                for (Access access : accesses) {
                                    access.putLong(VALUE, 9);
                                }
                            }));
            cluster.embedded.stopNode(STOPPED);
            assertThat(cluster.await(waits)).isEqualTo(UNREACHABLE);
            cluster.commit(2, write(table, living, 10));
            assertThat(cluster.read(1, table, living)).isEqualTo(10);
            assertThat(cluster.read(2, table, missing)).isNull();
            release.set(true);
            cluster.await(holder); // its backup, node 0, is alive: it has committed, or not if that came first
            cluster.assertAtRest();
        }
    }
}
