package dev.rcc.transport.control;

import static dev.rcc.transport.control.ControlContract.HANG_SECONDS;
import static dev.rcc.transport.control.ControlContract.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.transport.ExpectedLog;
import dev.rcc.transport.control.ControlContract.Events;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ControlChannelTlsTest {
    @TempDir
    private Path folder;

    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport");
    private ChannelCluster cluster;

    @BeforeEach
    void expectLog() {
        log.expect();
    }

    @AfterEach
    void close() {
        if (cluster != null) {
            cluster.close();
        }
        log.close();
    }

    @Test
    void shouldConnectNodesThatTrustEachOther() throws Exception {
        TlsOptions[] tls = {
            TestCertificates.tls(folder, "zero", "one"), TestCertificates.tls(folder, "one", "zero"),
        };
        cluster = new ChannelCluster(2, options -> options.withTls(tls[options.node()]));
        Events events = new Events();
        ControlChannel peer = cluster.join(1);
        peer.serve("echo", (node, question) -> question);
        peer.start();
        ControlChannel control = cluster.join(0);
        control.listen(events);
        control.start();
        events.expectUp(control);
        events.expectUp(peer);
        assertThat(text(control.ask(1, "echo", text("secret")).get(HANG_SECONDS, TimeUnit.SECONDS)))
                .isEqualTo("secret");
    }

    // Node 1 shows a certificate that node 0 does not trust, or the other way round; or it shows none, since
    // it does not use TLS at all.
    @ParameterizedTest
    @ValueSource(strings = {"dialler", "acceptor", "plain"})
    void shouldRefuseAnUntrustedPeerAndLogTheReason(String untrusted) throws Exception {
        TlsOptions[] tls = {
            TestCertificates.tls(folder, untrusted.equals("acceptor") ? "stranger" : "zero", "one"),
            TestCertificates.tls(folder, untrusted.equals("dialler") ? "stranger" : "one", "zero"),
        };
        cluster = new ChannelCluster(
                2,
                options -> untrusted.equals("plain") && options.node() == 1
                        ? options
                        : options.withTls(tls[options.node()]));
        for (int node = 0; node < 2; node++) {
            cluster.join(node).start();
        }
        String reason = untrusted.equals("plain") ? "not an SSL/TLS record" : "PKIX|certificate|SSLHandshakeException";
        ControlChannelTest.await(() -> log.messages().stream()
                        .anyMatch(message -> message.contains("node=0 ") && message.matches("(?s).*(" + reason + ").*"))
                && log.messages().stream().anyMatch(message -> message.contains("node=1 ")));
        assertThat(cluster.join(0).isUp(1)).isFalse();
        assertThat(cluster.join(1).isUp(0)).isFalse();
    }

    @Test
    void shouldNameTheFileThatIsMissingOrBroken() throws Exception {
        TlsOptions good = TestCertificates.tls(folder, "zero", "one");
        Path missing = folder.resolve("missing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TlsOptions(missing, good.key(), good.trust()))
                .withMessageContainingAll("certificate", missing.toString());
        Path broken = Files.writeString(folder.resolve("broken"), "no PEM");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TlsOptions(good.certificate(), broken, good.trust()).forServer())
                .withMessageContainingAll(broken.toString(), "PKCS #8");
    }
}
