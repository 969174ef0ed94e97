package dev.rcc.transport.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.transport.handshake.NodeCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Self-signed certificates for tests, made with the JDK's keytool. */
public final class TestCertificates {
    private static final char[] PASSWORD = "changeit".toCharArray();
    /** The certificates made in this JVM, by name and subject alternative names. */
    private static final Map<String, Pair> MADE = new HashMap<>();

    private record Pair(Certificate certificate, Key key) {}

    private TestCertificates() {}

    /**
     * TLS for a node with the certificate {@code name} that trusts {@code trusted}. The certificates are made in {@code folder} as needed; they are
     * valid for any node of cluster {@code test}.
     */
    public static TlsOptions tls(Path folder, String name, String trusted) throws Exception {
        String nodes = IntStream.range(0, 8)
                .mapToObj(node -> "uri:" + NodeCertificates.name("test", node))
                .collect(Collectors.joining(","));
        make(folder, name, nodes);
        make(folder, trusted, nodes);
        return files(folder, name, trusted);
    }

    /** TLS by files that exist. */
    private static TlsOptions files(Path folder, String name, String trusted) {
        return new TlsOptions(
                folder.resolve(name + ".pem"), folder.resolve(name + ".key"), folder.resolve(trusted + ".pem"));
    }

    /**
     * Makes a certificate, unless its file exists. keytool needs a process, so each certificate is made once in this JVM, and its files are written
     * to each folder that needs it.
     *
     * @param names its subject alternative names, as keytool writes them
     */
    public static void make(Path folder, String name, String names) throws Exception {
        make(folder, name, names, "-validity", "2");
    }

    /** Makes a certificate, as {@link #make(Path, String, String)} does, which was valid for a day, a week ago. */
    public static void makeExpired(Path folder, String name, String names) throws Exception {
        make(folder, name, names, "-startdate", "-7d", "-validity", "1");
    }

    /** Makes a certificate, as {@link #make(Path, String, String)} does, which will be valid in a week. */
    public static void makeForLater(Path folder, String name, String names) throws Exception {
        make(folder, name, names, "-startdate", "+7d", "-validity", "1");
    }

    private static void make(Path folder, String name, String names, String... valid) throws Exception {
        Path file = folder.resolve(name + ".pem");
        if (Files.exists(file)) {
            return;
        }
        synchronized (MADE) {
            String who = name + " " + names + " " + String.join(" ", valid);
            if (!MADE.containsKey(who)) {
                MADE.put(who, generate(folder, name, names, valid));
            }
            Pair pair = MADE.get(who);
            write(file, "CERTIFICATE", pair.certificate.getEncoded());
            write(folder.resolve(name + ".key"), "PRIVATE KEY", pair.key.getEncoded());
        }
    }

    private static Pair generate(Path folder, String name, String names, String... valid) throws Exception {
        Path store = folder.resolve(name + ".p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> command = new ArrayList<>(List.of(
                keytool.toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
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
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD)));
        command.addAll(List.of(valid));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
        assertThat(process.waitFor(ControlContract.HANG_SECONDS, TimeUnit.SECONDS))
                .isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve(name + ".log")))
                .isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
        return new Pair(keys.getCertificate("node"), keys.getKey("node", PASSWORD));
    }

    private static void write(Path file, String what, byte[] bytes) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                        + "-----\n");
    }
}
