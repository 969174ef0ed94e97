package dev.rcc.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.client.RccClient;
import dev.rcc.client.RecordExistsException;
import dev.rcc.client.RecordNotFoundException;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.sundial.Sundial;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.gateway.EmbeddedGateways;
import dev.rcc.server.gateway.GatewayOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
public class BankServiceTest {
    @Test
    void shouldLoseNoCent() {
        List<TableSchema> tables =
                List.of(TableSchema.ofLongKeys(0, "accounts", 50, 1_000).ordered());
        try (EmbeddedCluster cluster = new EmbeddedCluster(ClusterConfig.of(new Sundial(), tables))) {
            cluster.start();
            try (EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT);
                    RccClient client = RccClient.connect(gateways.addresses())) {
                BankService bank = new BankService(client);
                assertThatItLosesNoCent(bank);
            }
        }
    }

    /** Opens accounts of a bank that has none, and moves money between them. */
    public static void assertThatItLosesNoCent(BankService bank) {
        bank.open(1, "Ada", 100);
        bank.open(2, "Grace", 100);
        IntStream.range(0, 20).parallel().forEach(i -> bank.transfer(1 + i % 2, 2 - i % 2, 1 + i));
        assertThat(bank.total()).isEqualTo(200);
        assertThat(bank.transfer(1, 2, 201)).isFalse();
        assertThatExceptionOfType(RecordExistsException.class).isThrownBy(() -> bank.open(2, "Edsger", 1));
        assertThatExceptionOfType(RecordNotFoundException.class).isThrownBy(() -> bank.transfer(1, 3, 1));
        assertThat(bank.total()).isEqualTo(200);
    }
}
