package dev.rcc.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.sundial.Sundial;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.config.LockNamespace;
import dev.rcc.server.config.LockSettings;
import dev.rcc.server.gateway.EmbeddedGateways;
import dev.rcc.server.gateway.Fences;
import dev.rcc.server.gateway.GatewayOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of a lock in docs/client.md. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NightlyJobTest {
    @Test
    void shouldWriteUnderGrowingTokens() {
        List<LockNamespace> namespaces = LockNamespace.parseAll("jobs:1000");
        try (EmbeddedCluster cluster = new EmbeddedCluster(ClusterConfig.of(
                        new Sundial(),
                        List.of(TableSchema.ofLongKeys(0, "state", 8, 100), Fences.schema(1, namespaces)))
                .withLocks(new LockSettings(namespaces, Primitive.ONE_SIDED)))) {
            cluster.start();
            try (EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT);
                    RccClient client = RccClient.connect(gateways.addresses())) {
                List<Long> tokens = new ArrayList<>();
                NightlyJob job = new NightlyJob(client, (token, day) -> tokens.add(token));
                job.run(1);
                job.run(2);
                assertThat(tokens).hasSize(2).isSorted().doesNotHaveDuplicates();
                assertThat(client.get(new Table<>("state", KeyType.LONG, Codec.ofLong()), 1L))
                        .contains(2L);
            }
        }
    }
}
