package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.client.ycsb.RccYcsbClient;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.gateway.EmbeddedGateways;
import dev.rcc.server.gateway.Users;
import dev.rcc.server.process.ServerConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;
import site.ycsb.measurements.Measurements;

/** The shell and YCSB at gateways that encrypt and let in only users, as a server's configuration sets it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SecureClientTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    static Path directory;

    private static EmbeddedCluster cluster;
    private static EmbeddedGateways gateways;

    @BeforeAll
    static void start() throws Exception {
        certificate("gateway", "-validity", "2");
        certificate("old", "-startdate", "-7d", "-validity", "1");
        certificate("new", "-startdate", "+7d", "-validity", "1");
        Files.writeString(directory.resolve("writer"), "the writer's token\n");
        Files.writeString(directory.resolve("reader"), "the reader's token\n");
        Files.writeString(directory.resolve("stranger"), "a token that nobody knows\n");
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("node", "0");
        keys.put("peers", "127.0.0.1:7000,127.0.0.1:7001,127.0.0.1:7002");
        keys.put("tables", "usertable:bytes32:200:1000:ordered");
        keys.put("client.tls.certificate", file("gateway.pem"));
        keys.put("client.tls.key", file("gateway.key"));
        keys.put(
                "users",
                "writer sha256=" + Users.hash("the writer's token") + " write:usertable,reader sha256="
                        + Users.hash("the reader's token") + " read:*");
        ServerConfig config = ServerConfig.of(keys);
        cluster = new EmbeddedCluster(config.cluster().withMemory(1 << 18, 1 << 18, 1 << 12));
        cluster.start();
        gateways = new EmbeddedGateways(cluster, config.gateway());
    }

    @AfterAll
    static void stop() {
        gateways.close();
        cluster.close();
    }

    private static String file(String name) {
        return directory.resolve(name).toString();
    }

    /** A key, and its certificate, which it has signed itself. */
    private static void certificate(String name, String... valid) throws Exception {
        Path store = directory.resolve(name + ".p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString()));
        command.addAll(List.of(valid));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        pem(name + ".pem", "CERTIFICATE", keys.getCertificate(name).getEncoded());
        pem(
                name + ".key",
                "PRIVATE KEY",
                keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
    }

    private static void pem(String file, String what, byte[] bytes) throws IOException {
        Files.writeString(
                directory.resolve(file),
                "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                        + "-----\n");
    }

    // ---- the shell -------------------------------------------------------------------------------------------------

    private static ClientCommandTest.Ran shell(String script, String... options) {
        List<String> args = new ArrayList<>(List.of("--hosts", gateways.addresses(), "-e", script));
        args.addAll(List.of(options));
        return ClientCommandTest.run("", args);
    }

    private static ClientCommandTest.Ran shellOf(String user, String script) {
        return shell(script, "--token-file", file(user), "--tls-trust", file("gateway.pem"));
    }

    @Test
    void shouldLetTheShellInByItsTokenOverTls() {
        ClientCommandTest.Ran put = shellOf("writer", "put usertable shell hello");
        assertThat(put.err()).isEmpty();
        assertThat(put.code()).isZero();
        assertThat(shellOf("reader", "get usertable shell").out()).isEqualTo("\"hello\"\n");
        ClientCommandTest.Ran refused = shellOf("reader", "delete usertable shell");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("user reader lacks the role write on table usertable");
        assertThat(shellOf("reader", "get usertable shell").out()).isEqualTo("\"hello\"\n");
    }

    @Test
    void shouldKeepTheShellOutOtherwise() {
        ClientCommandTest.Ran stranger = shellOf("stranger", "tables");
        assertThat(stranger.code()).isEqualTo(3);
        assertThat(stranger.err()).contains("UNAUTHENTICATED");
        ClientCommandTest.Ran plain = shell("tables", "--token-file", file("writer"), "--deadline", "2");
        assertThat(plain.code()).as(plain.err()).isEqualTo(3);
        assertThat(plain.out()).isEmpty();
        ClientCommandTest.Ran half =
                shell("tables", "--tls-certificate", file("gateway.pem"), "--tls-key", file("gateway.key"));
        assertThat(half.code()).isEqualTo(2);
        assertThat(half.err()).contains("--tls-certificate", "--tls-trust");
    }

    @ParameterizedTest
    @ValueSource(strings = {"old", "new"})
    void shouldRefuseAClientsCertificateThatIsNotValidNow(String name) {
        ClientCommandTest.Ran ran = shell(
                "tables",
                "--tls-trust",
                file("gateway.pem"),
                "--tls-certificate",
                file(name + ".pem"),
                "--tls-key",
                file(name + ".key"));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .contains("--tls-certificate: got '" + file(name + ".pem")
                        + "', allowed: a certificate that is valid now")
                .containsPattern("CN=" + name + " is valid from \\d{4}-\\S+Z to \\d{4}-\\S+Z, and now it is");
        assertThatExceptionOfType(DBException.class)
                .isThrownBy(() -> ycsb(
                        "rcc.tls.trust",
                        file("gateway.pem"),
                        "rcc.tls.certificate",
                        file(name + ".pem"),
                        "rcc.tls.key",
                        file(name + ".key")))
                .withMessageContaining(file(name + ".pem"))
                .withMessageContaining("CN=" + name + " is valid from");
    }

    @Test
    void shouldNameTheFileOfTheClientWithoutACertificate() {
        ClientCommandTest.Ran ran = shell(
                "tables",
                "--tls-trust",
                file("gateway.pem"),
                "--tls-certificate",
                file("gateway.key"),
                "--tls-key",
                file("gateway.key"));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("--tls-certificate: got '" + file("gateway.key") + "'", "has no certificate");
    }

    // ---- YCSB ------------------------------------------------------------------------------------------------------

    private static DB ycsb(String... keysAndValues) throws DBException {
        Measurements.setProperties(new Properties());
        Properties properties = new Properties();
        properties.setProperty("rcc.hosts", gateways.addresses());
        properties.setProperty("rcc.deadline.ms", "5000");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.setProperty(keysAndValues[i], keysAndValues[i + 1]);
        }
        DB db = new RccYcsbClient();
        db.setProperties(properties);
        db.init();
        return db;
    }

    private static DB ycsbOf(String user) throws DBException {
        return ycsb("rcc.token.file", file(user), "rcc.tls.trust", file("gateway.pem"));
    }

    private static Map<String, ByteIterator> field(String value) {
        Map<String, ByteIterator> values = new HashMap<>();
        values.put("field0", new StringByteIterator(value));
        return values;
    }

    @Test
    void shouldLetYcsbInByItsTokenOverTls() throws Exception {
        DB writer = ycsbOf("writer");
        assertThat(writer.insert("usertable", "ycsb", field("a"))).isEqualTo(Status.OK);
        writer.cleanup();
        DB reader = ycsbOf("reader");
        Map<String, ByteIterator> read = new HashMap<>();
        assertThat(reader.read("usertable", "ycsb", null, read)).isEqualTo(Status.OK);
        assertThat(read.get("field0").toString()).isEqualTo("a");
        assertThat(reader.update("usertable", "ycsb", field("b"))).isEqualTo(Status.FORBIDDEN);
        reader.cleanup();
    }

    @Test
    void shouldKeepYcsbOutOtherwise() {
        assertThatExceptionOfType(DBException.class)
                .isThrownBy(() -> ycsbOf("stranger"))
                .withMessageContaining("UNAUTHENTICATED");
        assertThatExceptionOfType(DBException.class)
                .isThrownBy(() -> ycsb("rcc.token.file", file("writer"), "rcc.deadline.ms", "1000"));
        assertThatExceptionOfType(DBException.class)
                .isThrownBy(() -> ycsb("rcc.tls.certificate", file("gateway.pem")))
                .withMessageContaining("rcc.tls.trust");
    }
}
