package dev.rcc.bench.driver;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Properties;

/**
 * The software and the machine of a measurement.
 *
 * @param version RCC's version
 * @param commit the git commit of the build, or "unknown"; "-dirty" follows when the tree had changes
 * @param jvm name and version of the JVM
 * @param cores processors that the JVM may use
 * @param os name, version and architecture of the operating system
 * @param flags the JVM's own arguments
 * @param maxHeapBytes largest heap of the JVM
 * @param measuredAt the time of the measurement, as an ISO instant
 */
public record Manifest(
        String version,
        String commit,
        String jvm,
        int cores,
        String os,
        List<String> flags,
        long maxHeapBytes,
        String measuredAt) {
    private static final String BUILD_INFO = "/rcc-build.properties";
    private static final String UNKNOWN = "unknown";

    /** Takes a copy of the list. */
    public Manifest {
        flags = List.copyOf(flags);
    }

    /** The manifest of this JVM, now. */
    public static Manifest here() {
        Properties build = buildInfo();
        return new Manifest(
                build.getProperty("version", UNKNOWN),
                commit(build),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                Runtime.getRuntime().maxMemory(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    private static String commit(Properties build) {
        String commit = build.getProperty("commit", UNKNOWN);
        return Boolean.parseBoolean(build.getProperty("dirty")) ? commit + "-dirty" : commit;
    }

    private static Properties buildInfo() {
        Properties properties = new Properties();
        try (InputStream in = Manifest.class.getResourceAsStream(BUILD_INFO)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }
}
