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
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted connections, and clients that prove who they are by a certificate. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TlsTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    Path directory;

    @Test
    void shouldServeThoseWhomItsCertificatesKnow() throws Exception {
        KeyStore store = certificate();
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SslContext server = SslContextBuilder.forServer(keys)
                .trustManager(trust)
                .clientAuth(ClientAuth.REQUIRE)
                .build();
        SslContext known = SslContextBuilder.forClient()
                .keyManager(keys)
                .trustManager(trust)
                .build();
        SslContext unknown = SslContextBuilder.forClient().trustManager(trust).build();
        ClientOptions patient = ClientOptions.DEFAULT.withCall(
                CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(20)).withMaxAttempts(1));
        try (ClientFixture fixture =
                new ClientFixture("nowait", GatewayOptions.DEFAULT.withTls(server), patient.withTls(known))) {
            fixture.client.execute(txn -> txn.put(NAMES, "a", 1L));
            assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "a")))
                    .isEqualTo(1);
            String address = fixture.gateways.gateway(0).address();
            assertThatExceptionOfType(RccException.class)
                    .isThrownBy(() -> RccClient.connect(address, patient.withTls(unknown)));
            assertThatExceptionOfType(RccException.class).isThrownBy(() -> RccClient.connect(address, patient));
        }
    }

    // Goal: a certificate's common name is a user, and who shows a token needs no certificate.
    @Test
    void shouldKnowUsersByTheirCertificates() throws Exception {
        KeyStore store = certificate();
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SslContext server = SslContextBuilder.forServer(keys)
                .trustManager(trust)
                .clientAuth(ClientAuth.OPTIONAL)
                .build();
        SslContext known = SslContextBuilder.forClient()
                .keyManager(keys)
                .trustManager(trust)
                .build();
        SslContext unknown = SslContextBuilder.forClient().trustManager(trust).build();
        Users users = Users.of(List.of(
                new User("reader", "", "localhost", Map.of("names", Role.READ)),
                new User("writer", Users.hash("secret"), "", Map.of("*", Role.WRITE))));
        ClientOptions patient = ClientOptions.DEFAULT.withCall(
                CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(20)).withMaxAttempts(1));
        try (ClientFixture fixture = new ClientFixture(
                        "nowait",
                        GatewayOptions.DEFAULT.withTls(server).withUsers(users, false),
                        patient.withTls(unknown).withToken("secret"));
                RccClient reader = RccClient.connect(fixture.gateways.addresses(), patient.withTls(known))) {
            fixture.client.execute(txn -> txn.put(NAMES, "a", 1L));
            assertThat(reader.<Long>read(txn -> txn.require(NAMES, "a"))).isEqualTo(1);
            assertThatExceptionOfType(PermissionException.class)
                    .isThrownBy(() -> reader.execute(txn -> txn.put(NAMES, "a", 2L)))
                    .withMessageContaining("user reader lacks the role write on table names");
            assertThatExceptionOfType(PermissionException.class)
                    .isThrownBy(() -> RccClient.connect(fixture.gateways.addresses(), patient.withTls(unknown)))
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
        // What it trusts, too.
        store.setCertificateEntry("trusted", store.getCertificate("test"));
        return store;
    }
}
