package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.client.BadRequestException;
import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.KeyRange;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import dev.rcc.client.TableUsage;
import dev.rcc.client.wire.Patch;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.procedure.Procedures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients use a replicated table as any other, at whichever gateway they are. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ReplicatedTableTest {
    private static final Table<Long, Long> RATES = new Table<>("rates", KeyType.LONG, Codec.ofLong());
    private static final int NODES = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    static List<String> protocols() {
        return Protocols.names();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void shouldServeAReplicatedTableAtEachGateway(String protocol) {
        ClusterConfig config = ClusterConfig.of(
                Protocols.byName(protocol),
                List.of(TableSchema.ofLongKeys(0, "rates", 8, 50).replicated()));
        try (EmbeddedCluster cluster = new EmbeddedCluster(config)) {
            cluster.start();
            try (EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT, Procedures.NONE)) {
                for (int node = 0; node < NODES; node++) {
                    try (RccClient writer = connect(gateways, node);
                            RccClient reader = connect(gateways, (node + 1) % NODES)) {
                        useFromTwo(writer, reader);
                    }
                }
            }
            assertThat(cluster.awaitClients(PATIENCE)).isTrue();
            assertThat(cluster.quiesce(PATIENCE)).isTrue();
            assertThat(cluster.inspect().violations()).isEmpty();
        }
    }

    private static RccClient connect(EmbeddedGateways gateways, int node) {
        return RccClient.connect(gateways.gateway(node).address(), ClientOptions.DEFAULT);
    }

    /** Uses keys of all nodes, as the client begins each transaction at the node that it takes for the record's. */
    private static void useFromTwo(RccClient writer, RccClient reader) {
        for (long key = 0; key < 2L * NODES; key++) {
            use(writer, reader, key, key + 100);
        }
        assertThat(reader.administration().usage("rates")).isEqualTo(new TableUsage("rates", 2L * NODES, 50, 0, 0));
        for (long key = 0; key < 2L * NODES; key++) {
            assertThat(writer.delete(RATES, key + 100)).isTrue();
        }
    }

    private static void use(RccClient writer, RccClient reader, long key, long other) {
        writer.insert(RATES, key, 10L);
        assertThat(reader.get(RATES, key)).hasValue(10L);
        writer.put(RATES, key, 11L);
        assertThat(reader.get(RATES, key)).hasValue(11L);
        assertThat(writer.patch(RATES, key, Patch.write(7, (byte) 12))).isEqualTo(Patch.Result.WRITTEN);
        assertThat(reader.get(RATES, key)).hasValue(12L);
        writer.execute(txn -> {
            txn.put(RATES, other, 1 + txn.require(RATES, key));
            txn.put(RATES, key, 2 + txn.require(RATES, key));
        });
        assertThat(reader.<Long>read(
                        CallOptions.DEFAULT.near(RATES, other),
                        txn -> txn.require(RATES, key) + txn.require(RATES, other)))
                .isEqualTo(14 + 13);
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> writer.scan(RATES, KeyRange.all(), 5))
                .withMessageContaining("table rates is not ordered, so it cannot be scanned");
        assertThat(reader.delete(RATES, key)).isTrue();
        assertThat(writer.get(RATES, key)).isEmpty();
    }
}
