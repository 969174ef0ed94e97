package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Outcome;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In which order one-sided stages append work requests: a NIC makes an atomic that is behind a READ wait a round trip for it. */
class BatchOrderTest {
    private static final int KEYS = 40;

    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "dslr"})
    void shouldAppendAllAtomicsOfABatchBeforeItsReads(String name) {
        Protocol protocol = Protocols.byName(name);
        FencedBatches counting = new FencedBatches(protocol);
        ClusterConfig config = ClusterConfig.of(counting, List.of(TableSchema.ofLongKeys(0, "numbers", 8, 2 * KEYS)))
                .withCode(
                        HybridCode.parse(counting, "1".repeat(protocol.stages().size())))
                .withShape(2, 1, 4, 1)
                .withMemory(64 * 1024, 64 * 1024, 1024);
        try (SimulatedCluster cluster = EmbeddedCluster.simulated(config, SimOptions.of("connectx4-edr"))) {
            Table table = cluster.catalog().table(0);
            for (long key = 0; key < KEYS; key++) {
                cluster.loader().load(table, key, record -> {});
            }
            cluster.start();
            cluster.spawnEverywhere((runner, self) -> {
                for (int i = 0; i < 10; i++) {
                    long first = self.worker().random(KEYS - 8);
                    Outcome outcome = runner.run(ProtocolContract.procedure(
                            txn -> {
                                for (long key = first; key < first + 4; key++) {
                                    txn.update(table, key);
                                    txn.read(table, key + 4);
                                }
                                txn.read(table, KEYS + first);
                                return null;
                            },
                            (txn, nothing) -> {
                                for (int access = 0; access < 8; access += 2) {
                                    txn.access(access).putLong(0, first);
                                }
                            }));
                    assertThat(outcome).isEqualTo(Outcome.COMMITTED);
                }
            });
            assertThat(cluster.awaitClients(Duration.ofMinutes(1))).isTrue();
        }
        assertThat(counting.reads.get()).isPositive();
        assertThat(counting.fences.get()).isZero();
    }
}
