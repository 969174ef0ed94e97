package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.it.protocol.GatedProtocol.Change;
import dev.rcc.it.protocol.GatedProtocol.Gate;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.protocols.mvcc.MvccLayout;
import dev.rcc.protocols.mvcc.MvccOptions;
import dev.rcc.protocols.mvcc.PrintedMvcc;
import dev.rcc.server.config.ClusterConfig;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * The hole of the printed protocol. The schedule, for X and Y that no transaction has touched for a while: the later
 * transaction R reads X, all of it; the earlier W reads Y, locks X, and finds that no later transaction has read X; R raises
 * X's {@code rts}, writes Y, commits; W commits X. Each has missed the other's write. Both keys lie on one node, R and W run
 * on two others.
 */
class MvccOnLocalWriteSkewTest extends ProtocolContract implements OnLocal {
    @Override
    public Protocol protocol() {
        return new Mvcc();
    }

    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 1000);
    private static final MvccOptions IMPATIENT = new MvccOptions(4, true, 0);

    /** The outcomes of R and W, and the violation of their history. */
    private record Ends(Result reader, Result writer, Optional<String> anomaly) {}

    @Test
    void shouldCommitAWriteSkewInThePrintedOrder() {
        Ends ends = play(PrintedMvcc.with(IMPATIENT));
        assertThat(ends.reader()).isEqualTo(Result.COMMITTED);
        assertThat(ends.writer()).isEqualTo(Result.COMMITTED);
        assertThat(ends.anomaly()).isPresent();
    }

    @Test
    void shouldAbortTheReaderThatMeetsThePendingWriter() {
        Ends ends = play(new Mvcc(IMPATIENT));
        assertThat(ends.reader()).isEqualTo(Result.aborted(Mvcc.PENDING_WRITER));
        assertThat(ends.writer()).isEqualTo(Result.COMMITTED);
        assertThat(ends.anomaly()).isEmpty();
    }

    private Ends play(Protocol protocol) {
        Gate raising = new Gate(1, Change.CAS);
        Gate committing = new Gate(0, Change.WRITE);
        ObservedProtocol observed = new ObservedProtocol(new GatedProtocol(protocol, raising, committing));
        HistoryCollector collector = new HistoryCollector();
        HybridCode code = HybridCode.parse(protocol, "one-sided");
        try (TestCluster cluster = start(
                config(observed, code).withRetries(RetryPolicy.NEVER).withHistory(collector), c -> load(c, 100))) {
            Table table = cluster.table(0);
            long x = keyOn(cluster, table, 2, 0);
            long y = keyOn(cluster, table, 2, 1);
            TablePartition partition = observed.context(2, 0).memstore().partition(0, 2);
            long tuple = table.address(2, 2, MvccOnLocalConflictTest.lookup(partition, x));
            raising.at(tuple + MvccLayout.RTS_OFFSET);
            committing.at(tuple + MvccLayout.LOCK_OFFSET);

            CountDownLatch begun = new CountDownLatch(1);
            AtomicBoolean released = new AtomicBoolean();
            CompletableFuture<Result> writer =
                    cluster.spawn(0, 0, delayed(writingOneReadingTheOther(table, x, y), begun, released));
            cluster.await(begun);
            CompletableFuture<Result> reader = cluster.spawn(1, 0, writingOneReadingTheOther(table, y, x));
            cluster.await(raising.reached);
            released.set(true);
            cluster.await(committing.reached);
            raising.open();
            Result readersEnd = cluster.await(reader);
            committing.open();
            Result writersEnd = cluster.await(writer);
            cluster.assertAtRest();
            return new Ends(
                    readersEnd,
                    writersEnd,
                    Optional.of(Checker.check(collector.history(), Model.SERIALIZABLE))
                            .filter(checked -> !checked.isClean())
                            .map(CheckResult::report));
        }
    }

    private ClusterConfig config(Protocol protocol, HybridCode code) {
        return ClusterConfig.of(protocol, List.of(SCHEMA))
                .withCode(code)
                .withShape(3, 1, 4, 3)
                .withMemory(64 * 1024, 32 * 1024, 1024);
    }

    private static void load(TestCluster cluster, long keys) {
        for (long key = 0; key < keys; key++) {
            cluster.loader.load(cluster.table(0), key, value(0));
        }
    }

    private static Procedure writingOneReadingTheOther(Table table, long written, long read) {
        return procedure(
                txn -> List.of(txn.read(table, read), txn.update(table, written)),
                (txn, accesses) ->
                        accesses.get(1).putLong(VALUE, accesses.get(0).getLong(VALUE) + 1));
    }

    /** A transaction that has its timestamp, and waits before it does anything. */
    private static Procedure delayed(Procedure procedure, CountDownLatch begun, AtomicBoolean released) {
        return procedure(
                txn -> {
                    begun.countDown();
                    while (!released.get()) {
                        txn.coroutine().sleep(50_000);
                    }
                    procedure.declare(txn);
                    return null;
                },
                (txn, nothing) -> procedure.execute(txn));
    }
}
