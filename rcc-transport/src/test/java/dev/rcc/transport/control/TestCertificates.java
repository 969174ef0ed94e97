package dev.rcc.transport.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.transport.handshake.NodeCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Self-signed certificates for tests, made with the JDK's keytool. */
public final class TestCertificates {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private TestCertificates() {}

    /**
     * TLS for a node of which {@code trusted} is trusted; all are names of certificates, made in {@code folder} as needed, of any node of
     * cluster {@code test}.
     */
    public static TlsOptions tls(Path folder, String name, String trusted) throws Exception {
        String nodes = IntStream.range(0, 8)
                .mapToObj(node -> "uri:" + NodeCertificates.name("test", node))
                .collect(Collectors.joining(","));
        make(folder, name, nodes);
        make(folder, trusted, nodes);
        return files(folder, name, trusted);
    }

    /** Files that have been made. */
    private static TlsOptions files(Path folder, String name, String trusted) {
        return new TlsOptions(
                folder.resolve(name + ".pem"), folder.resolve(name + ".key"), folder.resolve(trusted + ".pem"));
    }

    /**
     * Makes a certificate, unless there is one.
     *
     * @param names its subject alternative names, as keytool writes them
     */
    public static void make(Path folder, String name, String names) throws Exception {
        Path store = folder.resolve(name + ".p12");
        if (Files.exists(store)) {
            return;
        }
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process = new ProcessBuilder(List.of(
                        keytool.toString(),
                        "-genkeypair",
                        "-alias",
                        "node",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=" + names,
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD)))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
        assertThat(process.waitFor(ControlContract.HANG_SECONDS, TimeUnit.SECONDS))
                .isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve(name + ".log")))
                .isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
        Certificate certificate = keys.getCertificate("node");
        Key key = keys.getKey("node", PASSWORD);
        write(folder.resolve(name + ".pem"), "CERTIFICATE", certificate.getEncoded());
        write(folder.resolve(name + ".key"), "PRIVATE KEY", key.getEncoded());
    }

    private static void write(Path file, String what, byte[] bytes) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                        + "-----\n");
    }
}
