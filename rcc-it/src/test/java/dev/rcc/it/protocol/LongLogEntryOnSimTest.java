package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.protocols.occ.Occ;
import dev.rcc.server.config.ClusterConfig;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A log entry that is longer than the network's messages. */
class LongLogEntryOnSimTest extends ProtocolContract implements OnSimWithoutFaults {
    private static final TableSchema WIDE = TableSchema.ofLongKeys(0, "wide", 640, 100);

    @Override
    public Protocol protocol() {
        return new Occ();
    }

    // Goal: a recorder counts an attempt that has begun to log as one that may have committed.
    @Test
    void shouldNotBeginToLogWhatNoMessageCarries() {
        LimitedProtocol limited = new LimitedProtocol(protocol(), 2048);
        ClusterConfig config = ClusterConfig.of(limited, List.of(WIDE))
                .withCode(HybridCode.parse(limited, "111011")) // logs by RPC
                .withShape(3, 1, 4, 3)
                .withRetries(RetryPolicy.NEVER);
        try (TestCluster cluster = start(config, LongStream.range(0, 16).toArray())) {
            Table table = cluster.table(0);
            Procedure tooLong = procedure(txn -> txn, (txn, _) -> {
                for (long key : keysOn(cluster, 1, 4)) {
                    Access access = txn.update(table, key);
                    txn.fetch();
                    access.putLong(VALUE, 1);
                }
            });
            CompletableFuture<Boolean> logged = new CompletableFuture<>();
            cluster.embedded.spawn(0, 0, 0, (runner, self) -> {
                try {
                    runner.run(tooLong);
                } catch (TransactionTooLarge e) {
                    logged.complete(runner.transaction().hasLogged());
                }
            });
            assertThat(cluster.await(logged)).isFalse();
            cluster.commit(0, write(table, keyOn(cluster, table, 1, 0), 7));
            cluster.assertAtRest();
        }
    }
}
