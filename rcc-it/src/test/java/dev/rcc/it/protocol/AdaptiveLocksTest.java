package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.config.ClusterConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A transaction that others always overtake commits in the end, if its locks are adaptive. In virtual time. */
@ParameterizedClass(name = "{0}")
@MethodSource("protocols")
class AdaptiveLocksTest extends ProtocolContract implements EachProtocol, OnSimWithoutFaults {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 100);
    private static final long X = 1;
    private static final int SLOW = 0;
    private static final int QUICK = 1;
    private static final int ATTEMPTS_AT_COMMIT = 8;
    private static final RetryPolicy RETRIES = new RetryPolicy(60, 1_000, 4_000);

    @Override
    public boolean isShort() {
        return false;
    }

    static Stream<Named<Protocol>> protocols() {
        return Stream.of("sundial", "mvcc").map(name -> Named.of(name, with(name, "adaptive")));
    }

    private static Protocol with(String name, String locks) {
        return Protocols.byName(name).with(Protocols.options().parse(Map.of(name + ".locks", locks)));
    }

    @ForEveryCode
    void shouldCommitThoughOthersAlwaysWriteTheRecordWhileItsProcedureRuns(HybridCode code) {
        Run run = run(protocol(), code);
        assertThat(run.result).isEqualTo(Result.COMMITTED);
        assertThat(run.attempts).isGreaterThan(ATTEMPTS_AT_COMMIT);
    }

    @ForEveryCode
    void shouldNotCommitIfItAlwaysLocksAtTheCommit(HybridCode code) {
        Run run = run(with(protocol().name(), "commit"), code);
        assertThat(run.result.outcome()).isEqualTo(Outcome.ABORTED);
        assertThat(run.attempts).isEqualTo(RETRIES.maxAttempts());
    }

    /** How a slow transaction ended, and how often its procedure ran. */
    private record Run(Result result, int attempts) {}

    // Method: the slow transaction's procedure takes long enough for the quick ones, which follow one another
    // on another node, to write the same record. The slow one is the oldest.
    private Run run(Protocol protocol, HybridCode code) {
        AtomicInteger attempts = new AtomicInteger();
        AtomicBoolean ended = new AtomicBoolean();
        try (TestCluster cluster = start(
                ClusterConfig.of(protocol, List.of(SCHEMA))
                        .withCode(HybridCode.parse(protocol, code.digits()))
                        .withShape(3, 1, 4, 3)
                        .withMemory(64 * 1024, 32 * 1024, 1024)
                        .withRetries(RETRIES),
                X)) {
            Table table = cluster.table(0);
            Procedure slow = procedure(txn -> txn.update(table, X), (txn, access) -> {
                attempts.incrementAndGet();
                txn.coroutine().sleep(100_000);
                access.putLong(VALUE, access.getLong(VALUE) + 1);
            });
            CompletableFuture<Result> result = cluster.spawn(SLOW, 0, slow);
            CompletableFuture<Integer> quick = new CompletableFuture<>();
            cluster.embedded.spawn(QUICK, 0, 1, (runner, self) -> {
                int committed = 0;
                while (!ended.get()) {
                    Outcome outcome = runner.run(procedure(
                            txn -> txn.update(table, X),
                            (txn, access) -> access.putLong(VALUE, access.getLong(VALUE) + 1)));
                    committed += outcome == Outcome.COMMITTED ? 1 : 0;
                    self.sleep(5_000);
                }
                quick.complete(committed);
            });
            Result slowResult = cluster.await(result);
            ended.set(true);
            int committed = cluster.await(quick) + (slowResult.equals(Result.COMMITTED) ? 1 : 0);
            cluster.assertAtRest();
            assertThat(cluster.read(SLOW, table, X)).isEqualTo(X + committed);
            return new Run(slowResult, attempts.get());
        }
    }
}
