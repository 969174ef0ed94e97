package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.client.Codec;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import dev.rcc.client.TableUsage;
import dev.rcc.client.UnavailableException;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A table beyond its capacity, as clients see it. */
class OverflowTest {
    private static final Table<Long, Long> SMALL = new Table<>("small", KeyType.LONG, Codec.ofLong());
    private static final int CAPACITY = 16;

    @Test
    void shouldReportTheNumberOfRecordsInOverflowAndTheNameOfAFullTable() {
        ClusterConfig config = ClusterConfig.of(
                        Protocols.byName("occ"),
                        List.of(TableSchema.ofLongKeys(0, "small", 8, CAPACITY).growing(2)))
                .withShape(1, 1, 4, 1);
        try (EmbeddedCluster cluster = new EmbeddedCluster(config)) {
            cluster.start();
            long firstPart = cluster.catalog().table(0).layout().slots(0);
            long slots = cluster.catalog().table(0).layout().slots();
            try (EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT);
                    RccClient client = RccClient.connect(gateways.addresses())) {
                insert(client, 0, CAPACITY);
                assertThat(client.administration().usage("small"))
                        .isEqualTo(new TableUsage("small", CAPACITY, CAPACITY, 0, 2 * CAPACITY));

                insert(client, CAPACITY, firstPart + CAPACITY);
                TableUsage usage = client.administration().usage("small");
                assertThat(usage.records()).isEqualTo(firstPart + CAPACITY);
                assertThat(usage.overflow()).isBetween((long) CAPACITY, firstPart);

                assertThatExceptionOfType(UnavailableException.class)
                        .isThrownBy(() -> insert(client, firstPart + CAPACITY, slots + 1))
                        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_FULL))
                        .withMessageContaining(
                                "it is small, whose partitions have a capacity of 16 and a growth of 2 times that");
                assertThat(client.administration().usage("small").records()).isBetween(3L * CAPACITY, slots);
            }
        }
    }

    private static void insert(RccClient client, long from, long end) {
        for (long key = from; key < end; key++) {
            long inserted = key;
            client.execute(txn -> txn.insert(SMALL, inserted, inserted));
        }
    }
}
