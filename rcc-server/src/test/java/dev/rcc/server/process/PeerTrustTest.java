package dev.rcc.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.transport.control.TestCertificates;
import dev.rcc.transport.control.TlsOptions;
import dev.rcc.transport.handshake.ClusterSecrets;
import dev.rcc.transport.handshake.NodeCertificates;
import dev.rcc.transport.handshake.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that other hosts reach is not started unguarded, or guarded less than it seems. */
class PeerTrustTest {
    private static final String USER = "boss sha256=" + "0".repeat(64) + " admin:*";

    @TempDir
    private Path folder;

    private static Map<String, String> given(String... keysAndValues) {
        return LoopbackOptions.of(2, keysAndValues);
    }

    private Path secret() throws IOException {
        Path file = folder.resolve("secret");
        SecretFile.createIfAbsent(file);
        return file;
    }

    @Test
    void shouldNeedNoSecretOnLoopback() {
        assertThat(ServerConfig.of(given("users", USER)).secrets()).isSameAs(ClusterSecrets.NONE);
        assertThat(ServerConfig.of(given("peers", "localhost:7000,[::1]:7001")).secrets())
                .isSameAs(ClusterSecrets.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "peers, '127.0.0.1:7000,192.0.2.1:7001', 192.0.2.1",
        "peers, '127.0.0.1:7000,no-such-host.invalid:7001', no-such-host.invalid",
        "listen, 0.0.0.0:7000, 0.0.0.0",
        "tcp.host, 192.0.2.7, 192.0.2.7"
    })
    void shouldRefuseToStartWithoutASecretWhereOthersReachIt(String key, String value, String host) throws IOException {
        assertThatExceptionOfType(ServerConfig.Problems.class)
                .isThrownBy(() -> ServerConfig.of(given(key, value)))
                .withMessageContainingAll(
                        "secret-file: got ''", host + " is not on loopback", "rcc token --cluster-secret");
        Map<String, String> given = given(key, value, "secret-file", secret().toString());
        given.putIfAbsent("tcp.host", "192.0.2.9");
        assertThat(ServerConfig.of(given).secrets()).isInstanceOf(SecretFile.class);
    }

    @Test
    void shouldRefuseASecretFileThatCannotBeRead() {
        assertThatExceptionOfType(ServerConfig.Problems.class)
                .isThrownBy(() -> ServerConfig.of(given("secret-file", "/no/such/file")))
                .withMessage("secret-file: got '/no/such/file', there is no such file");
    }

    @Test
    void shouldRefuseUsersWhosePeersAreNotEncrypted() throws IOException {
        String file = secret().toString();
        assertThatExceptionOfType(ServerConfig.Problems.class)
                .isThrownBy(() -> ServerConfig.of(given("tcp.host", "192.0.2.7", "secret-file", file, "users", USER)))
                .withMessageContainingAll(
                        "tls.certificate: got ''",
                        "with 'users' also 'tls.certificate'",
                        "192.0.2.7 is not on loopback");
    }

    @Test
    void shouldRefuseACertificateThatIsNotOfTheNode() throws Exception {
        TestCertificates.make(folder, "one", "uri:" + NodeCertificates.name("rcc", 1));
        TlsOptions tls =
                new TlsOptions(folder.resolve("one.pem"), folder.resolve("one.key"), folder.resolve("one.pem"));
        Map<String, String> given = given(
                "tls.certificate", tls.certificate().toString(),
                "tls.key", tls.key().toString(),
                "tls.trust", tls.trust().toString());
        assertThatExceptionOfType(ServerConfig.Problems.class)
                .isThrownBy(() -> ServerConfig.of(given))
                .withMessageContaining(
                        "a certificate of node 0, with the subject alternative name URI:urn:rcc:rcc:node:0");
        given.put("node", "1");
        assertThat(ServerConfig.of(given).tls()).isPresent();
    }

    /** The options of a node with the certificate and key of these names, made here. */
    private Map<String, String> tls(String certificate, String key) throws Exception {
        TestCertificates.make(folder, "one", "uri:" + NodeCertificates.name("rcc", 0));
        TestCertificates.make(folder, "other", "uri:" + NodeCertificates.name("rcc", 0));
        TestCertificates.makeExpired(folder, "old", "uri:" + NodeCertificates.name("rcc", 0));
        TestCertificates.makeForLater(folder, "new", "uri:" + NodeCertificates.name("rcc", 0));
        Files.writeString(
                folder.resolve("sec1.key"), "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n");
        Files.writeString(folder.resolve("none.pem"), "no certificate");
        return given(
                "tls.certificate", folder.resolve(certificate).toString(),
                "tls.key", folder.resolve(key).toString(),
                "tls.trust", folder.resolve("one.pem").toString());
    }

    // Goal: files with which no handshake can succeed are a problem of the configuration, not of a later moment.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "one.pem  | sec1.key  | one.pem', allowed: PEM files that fit together, 'tls.key' unencrypted PKCS #8 (",
                "none.pem | one.key   | none.pem', allowed: PEM files that fit together",
                "one.pem  | other.key | other.key', allowed: the private key of 'tls.certificate'",
                "old.pem  | old.key   | old.pem', allowed: a certificate that is valid now (",
                "new.pem  | new.key   | new.pem', allowed: a certificate that is valid now ("
            })
    void shouldRefuseCertificatesAndKeysThatCannotBeUsed(String certificate, String key, String message)
            throws Exception {
        assertThatExceptionOfType(ServerConfig.Problems.class)
                .isThrownBy(() -> ServerConfig.of(tls(certificate, key)))
                .withMessageContaining(message)
                .satisfies(problems -> assertThat(problems.getMessage().lines()).hasSize(1));
        assertThat(ServerConfig.of(tls("one.pem", "one.key")).tls()).isPresent();
    }

    @Test
    void shouldRefuseAKeyForClientsThatIsNotOfItsCertificate() throws Exception {
        tls("one.pem", "one.key");
        Map<String, String> given = given(
                "client.tls.certificate", folder.resolve("one.pem").toString(),
                "client.tls.key", folder.resolve("other.key").toString());
        assertThatExceptionOfType(ServerConfig.Problems.class)
                .isThrownBy(() -> ServerConfig.of(given))
                .withMessageContaining("other.key', allowed: the private key of 'client.tls.certificate'");
        given.put("client.tls.key", folder.resolve("one.key").toString());
        assertThat(ServerConfig.of(given).gateway().access().tls()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"old", "new"})
    void shouldRefuseACertificateForClientsThatIsNotValidNow(String name) throws Exception {
        tls("one.pem", "one.key");
        Map<String, String> given = given(
                "client.tls.certificate", folder.resolve(name + ".pem").toString(),
                "client.tls.key", folder.resolve(name + ".key").toString());
        assertThatExceptionOfType(ServerConfig.Problems.class)
                .isThrownBy(() -> ServerConfig.of(given))
                .withMessageContaining("client.tls.certificate: got '" + folder.resolve(name + ".pem")
                        + "', allowed: a certificate that is valid now (")
                .withMessageMatching(
                        "(?s).*CN=" + name + " is valid from \\d{4}-\\S+Z to \\d{4}-\\S+Z, and now it is .*");
    }
}
