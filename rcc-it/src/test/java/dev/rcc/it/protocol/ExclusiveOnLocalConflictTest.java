package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.it.protocol.TestCluster.Result;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** The promise of EXCLUSIVE that no other protocol makes: even readers exclude each other. */
class ExclusiveOnLocalConflictTest extends ProtocolContract implements ExclusiveOnLocal {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 100);
    private static final long KEY = 1;

    @ForEveryCode
    void shouldAbortReadersAndWritersThatMeetAReader(HybridCode code) {
        try (TestCluster cluster = start(config(code, SCHEMA).withRetries(RetryPolicy.NEVER), KEY)) {
            Table table = cluster.table(0);
            Procedure read = procedure(txn -> txn.read(table, KEY), (txn, access) -> {});
            CountDownLatch holding = new CountDownLatch(1);
            AtomicBoolean release = new AtomicBoolean();
            CompletableFuture<Result> holder = cluster.spawn(0, 0, AtomicityContract.waiting(read, holding, release));
            cluster.await(holding);
            assertThat(cluster.run(2, read)).isEqualTo(Result.aborted(AbortReason.LOCK_CONFLICT));
            assertThat(cluster.run(2, write(table, KEY, 5))).isEqualTo(Result.aborted(AbortReason.LOCK_CONFLICT));
            release.set(true);
            assertThat(cluster.await(holder)).isEqualTo(Result.COMMITTED);
            cluster.commit(2, write(table, KEY, 5));
            cluster.assertAtRest();
        }
    }
}
