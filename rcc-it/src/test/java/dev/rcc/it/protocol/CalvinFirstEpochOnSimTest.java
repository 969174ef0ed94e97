package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** CALVIN in a cluster that has just started: workers that were never busy look for epochs as often as those that just were. */
class CalvinFirstEpochOnSimTest {
    private static final int NODES = 4;

    // Goal: the first transactions take no longer than those after them; a run of 2 ms would else be over before its
    // workers have looked once.
    @ParameterizedTest
    @ValueSource(strings = {"rpc", "one-sided"})
    void shouldEndSoon(String code) {
        Protocol protocol = Protocols.byName("calvin");
        ClusterConfig config = ClusterConfig.of(protocol, List.of(TableSchema.ofLongKeys(0, "t", 8, 100)))
                .withCode(HybridCode.parse(protocol, code))
                .withShape(NODES, 1, 1, 3)
                .withMemory(64 * 1024, 32 * 1024, 1024);
        try (SimulatedCluster cluster = EmbeddedCluster.simulated(config, SimOptions.of("connectx4-edr"))) {
            Table table = cluster.catalog().table(0);
            for (long key = 0; key < 100; key++) {
                cluster.loader().load(table, key, record -> {});
            }
            cluster.start();
            long[] committed = new long[NODES];
            for (int node = 0; node < NODES; node++) {
                int own = node;
                cluster.spawn(node, 0, 0, (runner, self) -> {
                    while (runner.run(new Add(table, own)) == Outcome.COMMITTED && ++committed[own] < 20) {
                        // another one
                    }
                });
            }
            cluster.await(Duration.ofMillis(2), () -> false);
            assertThat(committed).containsOnly(20);
        }
    }

    private record Add(Table table, long key) implements Procedure {
        @Override
        public void declare(Transaction txn) {
            txn.update(table, key);
        }

        @Override
        public void execute(Transaction txn) {
            txn.access(0).putLong(0, txn.access(0).getLong(0) + 1);
        }
    }
}
