package dev.rcc.server.gateway;

import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import dev.rcc.core.cluster.Placement;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.procedure.Procedures;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/** A cluster of three nodes within this JVM, a gateway at each, and a client. */
final class ClientFixture implements AutoCloseable {
    static final Table<Long, Long> NUMBERS = new Table<>("numbers", KeyType.LONG, Codec.ofLong());
    static final Table<String, Long> NAMES = new Table<>("names", KeyType.STRING, Codec.ofLong());
    static final Table<String, Long> WORDS = new Table<>("words", KeyType.STRING, Codec.ofLong());

    final EmbeddedCluster cluster;
    final EmbeddedGateways gateways;
    final RccClient client;

    ClientFixture(String protocol) {
        this(protocol, GatewayOptions.DEFAULT, ClientOptions.DEFAULT);
    }

    ClientFixture(String protocol, GatewayOptions gatewayOptions, ClientOptions clientOptions) {
        this(protocol, gatewayOptions, clientOptions, Procedures.NONE);
    }

    ClientFixture(String protocol, GatewayOptions gatewayOptions, ClientOptions clientOptions, Procedures procedures) {
        this(
                protocol,
                List.of(
                        TableSchema.ofLongKeys(0, "numbers", 8, 4_000).ordered(256),
                        TableSchema.ofByteKeys(1, "names", 24, 8, 1_000),
                        TableSchema.ofByteKeys(2, "words", 12, 8, 1_000).ordered()),
                gatewayOptions,
                clientOptions,
                procedures);
    }

    ClientFixture(
            String protocol,
            List<TableSchema> tables,
            GatewayOptions gatewayOptions,
            ClientOptions clientOptions,
            Procedures procedures) {
        cluster = new EmbeddedCluster(
                ClusterConfig.of(Protocols.byName(protocol), tables).withMemory(1 << 18, 1 << 18, 1 << 12));
        cluster.start();
        gateways = new EmbeddedGateways(cluster, gatewayOptions, procedures);
        client = RccClient.connect(gateways.addresses(), clientOptions);
    }

    /** A key of the numbers whose record's primary copy is on this node; another one for each ordinal, from 0. */
    long keyAt(int node, int ordinal) {
        Placement placement = cluster.catalog().placement();
        return LongStream.range(0, Long.MAX_VALUE)
                .filter(key -> placement.primary(placement.partition(KeyHash.of(key))) == node)
                .skip(ordinal)
                .findFirst()
                .orElseThrow();
    }

    /** Closes the cluster and checks it at rest: replicas are equal, nothing is locked. */
    void closeAndInspect() {
        client.close();
        gateways.close();
        if (!cluster.awaitClients(Duration.ofSeconds(20)) || !cluster.quiesce(Duration.ofSeconds(20))) {
            throw new AssertionError("the cluster does not come to rest");
        }
        List<String> violations = cluster.inspect().violations();
        cluster.close();
        if (!violations.isEmpty()) {
            throw new AssertionError(violations.toString());
        }
    }

    @Override
    public void close() {
        client.close();
        gateways.close();
        cluster.close();
    }
}
