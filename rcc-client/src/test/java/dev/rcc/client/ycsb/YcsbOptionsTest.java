package dev.rcc.client.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YcsbOptionsTest {
    private static YcsbOptions of(String... keysAndValues) {
        Properties properties = new Properties();
        properties.setProperty("rcc.hosts", "here:1");
        properties.setProperty("fieldcount", "3"); // not ours
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.setProperty(keysAndValues[i], keysAndValues[i + 1]);
        }
        return YcsbOptions.of(properties);
    }

    @Test
    void shouldBeStrictByDefault() {
        YcsbOptions options = of();
        assertThat(options.upsert()).isFalse();
        assertThat(options.transactionOps()).isEqualTo(1);
        assertThat(options.client().call().deadline()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.client().call().maxAttempts()).isEqualTo(1000);
        assertThat(options).isEqualTo(of()).isNotEqualTo(of("rcc.connections", "2"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        rcc.hosts           | ''      | rcc.hosts: got '', allowed: the cluster's gateways
        rcc.upsert          | yes     | rcc.upsert: got 'yes', allowed: true or false
        rcc.transaction.ops | 0       | rcc.transaction.ops: got '0', allowed: an integer from 1 to 10000
        rcc.transaction.ops | 10001   | rcc.transaction.ops: got '10001'
        rcc.deadline.ms     | soon    | rcc.deadline.ms: got 'soon', allowed: an integer from 1 to 86400000
        rcc.upserts         | true    | rcc.upserts: there is no such property, allowed: rcc.hosts, rcc.transaction.ops
        """)
    void shouldReportAnInvalidPropertyWithTheAllowedValues(String key, String value, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> of(key, value)).withMessageContaining(message);
    }

    @Test
    void shouldNameTheFileInWhichThereIsNoToken(@TempDir Path directory) throws IOException {
        Path empty = Files.writeString(directory.resolve("empty"), "");
        Path blank = Files.writeString(directory.resolve("blank"), " \ntoken\n");
        Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xFF});
        for (Path file : List.of(Path.of("/no/such/file"), directory, empty, blank, binary)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> of("rcc.token.file", file.toString()).client())
                    .withMessageContaining("rcc.token.file: got '" + file + "', allowed: a file with the token");
        }
    }
}
