package dev.rcc.server.gateway;

import static dev.rcc.server.gateway.ClientFixture.NAMES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.PermissionException;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted connections, and clients that authenticate by a certificate. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TlsTest {
    private static final String PASSWORD = "changeit";

    private static final ClientOptions PATIENT = ClientOptions.DEFAULT.withCall(
            CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(20)).withMaxAttempts(1));

    @TempDir
    Path directory;

    private KeyManagerFactory keys;
    private TrustManagerFactory trust;

    @BeforeEach
    void trustOneCertificate() throws Exception {
        KeyStore store = certificate();
        keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
    }

    private SslContext server(ClientAuth auth) throws SSLException {
        return SslContextBuilder.forServer(keys)
                .trustManager(trust)
                .clientAuth(auth)
                .build();
    }

    /** The options of a client that shows the certificate. */
    private ClientOptions known() throws SSLException {
        return PATIENT.withTls(SslContextBuilder.forClient()
                .keyManager(keys)
                .trustManager(trust)
                .build());
    }

    /** The options of a client that only trusts the certificate. */
    private ClientOptions unknown() throws SSLException {
        return PATIENT.withTls(SslContextBuilder.forClient().trustManager(trust).build());
    }

    @Test
    void shouldServeOnlyClientsWithATrustedCertificate() throws Exception {
        try (ClientFixture fixture =
                new ClientFixture("nowait", GatewayOptions.DEFAULT.withTls(server(ClientAuth.REQUIRE)), known())) {
            fixture.client.execute(txn -> txn.put(NAMES, "a", 1L));
            assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "a")))
                    .isEqualTo(1);
            String address = fixture.gateways.gateway(0).address();
            assertThatExceptionOfType(RccException.class).isThrownBy(() -> RccClient.connect(address, unknown()));
            assertThatExceptionOfType(RccException.class).isThrownBy(() -> RccClient.connect(address, PATIENT));
        }
    }

    // Goal: a certificate's common name is a user, and a client that sends a token needs no certificate.
    @Test
    void shouldIdentifyUsersByTheirCertificates() throws Exception {
        Users users = Users.of(List.of(
                new User("reader", "", "localhost", Map.of("names", Role.READ)),
                new User("writer", Users.hash("secret"), "", Map.of("*", Role.WRITE))));
        try (ClientFixture fixture = new ClientFixture(
                        "nowait",
                        GatewayOptions.DEFAULT
                                .withTls(server(ClientAuth.OPTIONAL))
                                .withUsers(users, false),
                        unknown().withToken("secret"));
                RccClient reader = RccClient.connect(fixture.gateways.addresses(), known())) {
            fixture.client.execute(txn -> txn.put(NAMES, "a", 1L));
            assertThat(reader.<Long>read(txn -> txn.require(NAMES, "a"))).isEqualTo(1);
            assertThatExceptionOfType(PermissionException.class)
                    .isThrownBy(() -> reader.execute(txn -> txn.put(NAMES, "a", 2L)))
                    .withMessageContaining("user reader lacks the role write on table names");
            assertThatExceptionOfType(PermissionException.class)
                    .isThrownBy(() -> RccClient.connect(fixture.gateways.addresses(), unknown()))
                    .withMessageContaining("token or certificate");
        }
    }

    /** A key of this machine's, whose certificate it has signed itself. */
    private KeyStore certificate() throws Exception {
        Path file = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "test",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        // The trusted certificate, too.
        store.setCertificateEntry("trusted", store.getCertificate("test"));
        return store;
    }
}
