package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.ClientTelemetry;
import dev.rcc.client.Codec;
import dev.rcc.client.GatewayStatus;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Wire;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.cluster.Zones;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The gateways at which a client with a zone begins: those of its zone, as long as one answers. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ZoneTest {
    private static final Zones ZONES = Zones.of(List.of("east", "west", "east", "west"));
    private static final Table<Long, Long> NUMBERS = new Table<>("numbers", KeyType.LONG, Codec.ofLong());
    private static final long KEYS = 40;

    /** The gateways that requests were sent to. */
    private final Set<String> used = ConcurrentHashMap.newKeySet();

    private ClientOptions options(String zone) {
        return ClientOptions.DEFAULT
                .withZone(zone)
                .withCall(CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(30)))
                .withTelemetry(new ClientTelemetry() {
                    @Override
                    public Call begin(Operation operation, Call parent) {
                        if (operation.kind() == Kind.REQUEST) {
                            used.add(operation.gateway());
                        }
                        return Call.NONE;
                    }
                });
    }

    private static EmbeddedCluster cluster(Zones zones) {
        EmbeddedCluster cluster = new EmbeddedCluster(
                ClusterConfig.of(Protocols.byName("nowait"), List.of(TableSchema.ofLongKeys(0, "numbers", 8, 4_000)))
                        .withShape(zones.nodes(), 1, 10, 2)
                        .withHome(new RingPlacement(zones, 2))
                        .withMemory(1 << 18, 1 << 18, 1 << 12));
        cluster.start();
        return cluster;
    }

    private static void useAll(RccClient client) {
        for (long key = 0; key < KEYS; key++) {
            client.put(NUMBERS, key, key);
            assertThat(client.get(NUMBERS, key)).hasValue(key);
            client.execute(txn -> txn.get(NUMBERS, 0L));
        }
    }

    /**
     * Returns when the client has seen it, too. A commit sent to a gateway that closes may stay unknown, as only that gateway knows outcomes
     * here; a read is sent again elsewhere.
     */
    private void close(Gateway gateway, RccClient client) {
        gateway.close();
        do {
            used.clear();
            for (long key = 0; key < KEYS; key++) {
                assertThat(client.get(NUMBERS, key)).hasValue(key);
            }
        } while (used.contains(gateway.address()));
    }

    private static String[] of(EmbeddedGateways gateways, String zone) {
        return ZONES.nodes(zone).stream()
                .map(node -> gateways.gateway(node).address())
                .toArray(String[]::new);
    }

    // The client connects to a gateway elsewhere, which lists those of its zone.
    @Test
    void shouldBeginAtGatewaysOfItsZoneOnlyWhereverTheRecordIs() {
        try (EmbeddedCluster cluster = cluster(ZONES);
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT);
                RccClient client = RccClient.connect(gateways.gateway(1).address(), options("east"))) {
            used.clear();
            useAll(client);
            assertThat(used).containsExactlyInAnyOrder(of(gateways, "east"));
            assertThat(client.gateways())
                    .extracting(GatewayStatus::zone)
                    .containsExactlyInAnyOrder("east", "west", "east", "west");
        }
    }

    @Test
    void shouldUseOthersWhenNoGatewayOfItsZoneAnswers() {
        try (EmbeddedCluster cluster = cluster(ZONES);
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT);
                RccClient client = RccClient.connect(gateways.addresses(), options("east"))) {
            useAll(client);
            close(gateways.gateway(0), client);
            used.clear();
            useAll(client);
            assertThat(used).containsExactly(gateways.gateway(2).address());
            close(gateways.gateway(2), client);
            used.clear();
            useAll(client);
            assertThat(used).containsAnyOf(of(gateways, "west"));
        }
    }

    @Test
    void shouldUseAllGatewaysIfTheClusterHasNoSuchZone() {
        try (EmbeddedCluster cluster = cluster(Zones.single(4));
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT);
                RccClient client = RccClient.connect(gateways.addresses(), options("east"))) {
            used.clear();
            useAll(client);
            assertThat(used).hasSize(4);
            assertThat(client.gateways()).extracting(GatewayStatus::zone).containsOnly("");
        }
    }

    @Test
    void shouldSendZonesToClientsThatSupportThemAndServeOlderOnes() throws IOException {
        try (EmbeddedCluster cluster = cluster(ZONES);
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT)) {
            try (RawClient client = new RawClient(gateways.gateway(0).address())) {
                client.call(new Message.Hello(1, Wire.VERSION, "", "new"));
                assertThat(client.receive().message()).isInstanceOf(Message.Placement.class);
                assertThat(((Message.Zones) client.receive().message()).gateways())
                        .contains(new Message.ZonedGateway(gateways.gateway(3).address(), "west"))
                        .hasSize(4);
            }
            try (RawClient old = new RawClient(gateways.gateway(0).address())) {
                old.call(new Message.Hello(1, Wire.ZONES_VERSION - 1, "", "old"));
                assertThat(old.receive().message()).isInstanceOf(Message.Placement.class);
                assertThat(old.call(new Message.DescribeTables())).isInstanceOf(Message.Tables.class);
            }
        }
    }
}
