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
import dev.rcc.protocols.common.RoundTrips;
import dev.rcc.protocols.locking.LockMode;
import dev.rcc.protocols.locking.LockingOptions;
import dev.rcc.protocols.nowait.Nowait;
import dev.rcc.protocols.waitdie.Waitdie;
import dev.rcc.server.config.ClusterConfig;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

/** The options of two-phase locking, in virtual time. */
class LockingOptionsTest extends ProtocolContract implements OnSimWithoutFaults {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 100);
    private static final long X = 1;
    private static final int FIRST = 0;
    private static final int SECOND = 1;

    @Override
    public Protocol protocol() {
        return new Nowait();
    }

    private static List<Protocol> protocols(LockMode reads) {
        LockingOptions options = new LockingOptions(reads, false, RoundTrips.FEWEST);
        return List.of(new Nowait(options), new Waitdie(1, options));
    }

    private static Procedure read(Table table) {
        return procedure(txn -> txn.read(table, X), (txn, access) -> {});
    }

    private TestCluster start(Protocol protocol, HybridCode code) {
        return start(
                ClusterConfig.of(protocol, List.of(SCHEMA))
                        .withCode(HybridCode.parse(protocol, code.digits()))
                        .withShape(3, 1, 4, 3)
                        .withMemory(64 * 1024, 32 * 1024, 1024)
                        .withRetries(RetryPolicy.NEVER),
                LongStream.range(0, 60).toArray());
    }

    // Method: while a transaction that reads is in its procedure, a later one does the same.
    @ForEveryCode
    void shouldLetReadersOfARecordExcludeEachOtherIfTheirLocksAreExclusive(HybridCode code) {
        for (LockMode reads : List.of(LockMode.SHARED, LockMode.EXCLUSIVE)) {
            for (Protocol protocol : protocols(reads)) {
                for (boolean inserts : new boolean[] {false, true}) {
                    try (TestCluster cluster = start(protocol, code)) {
                        Table table = cluster.table(0);
                        CountDownLatch holding = new CountDownLatch(1);
                        AtomicBoolean release = new AtomicBoolean();
                        CompletableFuture<Result> first =
                                cluster.spawn(FIRST, 0, AtomicityContract.waiting(read(table), holding, release));
                        cluster.await(holding);
                        Result second = cluster.run(SECOND, inserts ? insert(table, X, 5) : read(table));
                        release.set(true);
                        assertThat(cluster.await(first)).isEqualTo(Result.COMMITTED);
                        assertThat(second.outcome() == Outcome.COMMITTED)
                                .as("%s, reads %s", protocol.name(), reads)
                                .isEqualTo(reads == LockMode.SHARED);
                        cluster.assertAtRest();
                    }
                }
            }
        }
    }
}
