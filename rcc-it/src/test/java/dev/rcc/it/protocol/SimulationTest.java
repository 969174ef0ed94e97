package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Procedure;
import dev.rcc.protocols.nowait.Nowait;
import dev.rcc.server.ClusterConfig;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.transport.sim.FaultPlan;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole clusters in virtual time: that the seed decides everything, and that hangs and faults are told. */
class SimulationTest {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 128, 64);
    private static final int KEYS = 12;
    private static final Duration LONG = Duration.ofMinutes(10);

    /** What a run leaves behind, all of it determined by the seed. */
    private record Run(String history, long nanos, long events, String faults, long commits) {}

    private static Run run(long seed, Primitive primitive, SimOptions options) {
        StringBuilder history = new StringBuilder();
        ClusterConfig config = ClusterConfig.of(new Nowait(), List.of(SCHEMA))
                .withCode(HybridCode.uniform(new Nowait(), primitive))
                .withShape(3, 2, 3, 3)
                .withMemory(16 * 1024, 32 * 1024, 1024)
                .withSeed(seed)
                .withHistory((txn, beginNanos, endNanos) -> {
                    history.append(txn.id())
                            .append(' ')
                            .append(beginNanos)
                            .append('-')
                            .append(endNanos);
                    for (int i = 0; i < txn.size(); i++) {
                        Access access = txn.access(i);
                        history.append(' ').append(access.keyHash()).append('@').append(access.version());
                    }
                    history.append(" -> ").append(txn.commitTs()).append('\n');
                });
        try (SimulatedCluster cluster = EmbeddedCluster.simulated(config, options)) {
            EmbeddedCluster.Loader loader = cluster.loader();
            Table table = cluster.catalog().table(0);
            for (long key = 0; key < KEYS; key++) {
                loader.load(table, key, record -> {});
            }
            cluster.start();
            cluster.spawnEverywhere((runner, self) -> {
                for (int i = 0; i < 20; i++) {
                    runner.run(increment(table, self.worker().random(KEYS)));
                }
            });
            assertThat(cluster.awaitClients(LONG)).isTrue();
            return new Run(
                    history.toString(),
                    cluster.nanos(),
                    cluster.events(),
                    cluster.faults().toString(),
                    cluster.metrics().committed());
        }
    }

    private static Procedure increment(Table table, long key) {
        return ProtocolContract.change(table, key, value -> value + 1);
    }

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldGiveTheSameHistoryByteForByteForTheSameSeed(Primitive primitive) {
        SimOptions options = SimOptions.of("connectx4-edr").withFaults(FaultPlan.WEATHER);
        Run first = run(7, primitive, options);
        assertThat(first.commits()).isEqualTo(3 * 2 * 3 * 20);
        assertThat(run(7, primitive, options)).isEqualTo(first);
        assertThat(run(8, primitive, options).history()).isNotEqualTo(first.history());
    }
}
