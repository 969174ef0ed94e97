package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.ClientOptions;
import dev.rcc.client.RccClient;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.procedure.Procedures;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many connections a client makes to the gateway of a node with several workers. */
class ConnectionsTest {
    private static final int WORKERS = 3;

    @ParameterizedTest
    @CsvSource({ClientOptions.ONE_PER_WORKER + ", " + WORKERS, "1, 1", "2, 2", "5, 5"})
    void shouldOpenOneConnectionPerWorkerOrTheConfiguredNumber(int connections, int made) {
        ClientOptions options = ClientOptions.DEFAULT.withConnections(connections, Duration.ofSeconds(10));
        try (EmbeddedCluster cluster = cluster();
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT, Procedures.NONE);
                RccClient client = RccClient.connect(gateways.addresses(), options)) {
            putAll(client);
            assertThat(client.administration().sessions()).hasSize(made);
        }
    }

    @Test
    void shouldUseTheConnectionsThatItHasIfTheGatewayAdmitsNoMore() {
        try (EmbeddedCluster cluster = cluster();
                EmbeddedGateways gateways =
                        new EmbeddedGateways(cluster, GatewayOptions.DEFAULT.withCapacity(1, 1_024, 100_000));
                RccClient client = RccClient.connect(gateways.addresses())) {
            for (int i = 0; i < 20; i++) {
                client.begin().abort();
            }
            putAll(client);
        }
    }

    private static EmbeddedCluster cluster() {
        EmbeddedCluster cluster = new EmbeddedCluster(
                ClusterConfig.of(Protocols.byName("nowait"), List.of(TableSchema.ofLongKeys(0, "numbers", 8, 100)))
                        .withShape(1, WORKERS, 2, 1));
        cluster.start();
        return cluster;
    }

    private static void putAll(RccClient client) {
        for (long key = 0; key < 20; key++) {
            client.put(ClientFixture.NUMBERS, key, key);
        }
    }
}
