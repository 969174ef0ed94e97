package dev.rcc.it.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.SourceTree;
import dev.rcc.it.lab.RdmaTests.Outcome;
import dev.rcc.it.lab.RdmaTests.Result;
import dev.rcc.it.lab.RdmaTests.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * All tests that need an RDMA device, in one guest of the lab and one JVM there: a boot takes longer than most of them. Each one's result
 * becomes that of a test here.
 *
 * <p>The tests that cost much there are drawn from a seed, another in each run, which the output begins with; {@code -Drcc.lab.seed=SEED}
 * draws the same again. {@code -Drcc.lab.here} runs them on this machine, beside its own device; {@code -Drcc.lab.tests=REGEX} the classes
 * whose names contain a match; {@code -Drcc.lab.timeout=SECONDS} gives them more time. Under which codes the contracts of the protocols
 * run, {@code OnVerbs} says.
 */
class RdmaIT {
    private static final Path DIRECTORY = SourceTree.root().resolve("rcc-it/target/rdma");
    private static final String HERE = "--here";
    private static final int TIMEOUT_SECONDS = Integer.getInteger("rcc.lab.timeout", 3000);
    private static final String SEED_PROPERTY = "rcc.lab.seed";
    private static final long SEED = Long.getLong(SEED_PROPERTY, Math.floorMod(System.nanoTime(), 1_000_000L));
    /** The system properties that mean something to the tests. */
    private static final List<String> PASSED_ON = List.of(
            "logback.configurationFile",
            "rcc.test.log",
            "rcc.seed",
            "rcc.hang.seconds",
            "rcc.network.codes",
            "rcc.network.rounds");

    @TempDir
    private Path scratch;

    @TestFactory
    Stream<DynamicTest> shouldPassBesideAnRdmaDevice() throws Exception {
        Files.createDirectories(DIRECTORY);
        String where = System.getProperty("rcc.lab.here") == null ? "--timeout=" + TIMEOUT_SECONDS : HERE;
        Lab.assumeReady(scratch, where);

        Set<String> classes = taggedClasses();
        assertThat(classes).as("test classes with the tag " + RdmaTests.TAG).isNotEmpty();
        Path file = DIRECTORY.resolve("results.tsv");
        Files.deleteIfExists(file);
        System.out.println("RDMA tests drawn from -D" + SEED_PROPERTY + "=" + SEED);
        int exitCode = runTests(where, file, classes);
        Results results = Results.read(file);

        List<DynamicTest> tests = new ArrayList<>();
        for (Result result : results.results()) {
            if (result.outcome() != Outcome.STARTED) {
                tests.add(DynamicTest.dynamicTest(result.test(), () -> repeat(result)));
            }
        }
        boolean anyFailed = results.results().stream().anyMatch(result -> result.outcome() == Outcome.FAILED);
        tests.add(DynamicTest.dynamicTest("the run came to its end", () -> {
            String last = results.results().isEmpty()
                    ? "nothing"
                    : results.results().getLast().toString();
            assertThat(results.isComplete())
                    .as("the last that it said was: %s", last)
                    .isTrue();
            assertThat(exitCode).as("exit code").isEqualTo(anyFailed ? 1 : 0);
        }));
        return tests.stream();
    }

    private static void repeat(Result result) {
        switch (result.outcome()) {
            case PASSED -> assertThat(result.detail()).isEmpty();
            case SKIPPED -> Assumptions.abort(result.detail());
            default -> throw new AssertionError(result.detail());
        }
    }

    /** The tagged classes of all modules that share their tests, found without running anything. */
    private static Set<String> taggedClasses() {
        Set<Path> roots = new TreeSet<>();
        for (String entry : System.getProperty("java.class.path").split(":", -1)) {
            Path path = Path.of(entry).toAbsolutePath();
            boolean hasTests = entry.endsWith("-tests.jar") || (!entry.isEmpty() && Files.isDirectory(path));
            if (hasTests && path.startsWith(SourceTree.root()) && Files.exists(path)) {
                roots.add(path);
            }
        }
        TestPlan plan =
                LauncherFactory.create().discover(RdmaTests.request(DiscoverySelectors.selectClasspathRoots(roots)));
        Pattern wanted = Pattern.compile(System.getProperty("rcc.lab.tests", "."));
        Set<String> classes = new TreeSet<>();
        plan.getRoots()
                .forEach(root -> plan.getDescendants(root).stream()
                        .map(test -> test.getSource().orElse(null) instanceof ClassSource source
                                ? source.getClassName()
                                : null)
                        .filter(Objects::nonNull)
                        .filter(wanted.asPredicate())
                        .forEach(classes::add));
        return classes;
    }

    private static int runTests(String where, Path results, Set<String> classes)
            throws IOException, InterruptedException {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // In an emulated processor, the costs are start-up and compilation, and collections of a heap that is
        // small at first.
        java.addAll(List.of("-ea", "-Xms512m", "-Xmx2g", "-XX:MetaspaceSize=128m"));
        java.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        java.addAll(List.of(System.getProperty("rcc.jvm.args").split(" ", -1)));
        for (String property : PASSED_ON) {
            String value = System.getProperty(property);
            if (value != null) {
                java.add("-D" + property + "=" + value);
            }
        }
        java.add("-D" + SEED_PROPERTY + "=" + SEED);
        java.addAll(List.of("-cp", System.getProperty("java.class.path")));
        List<String> command = Lab.command(where, "--");
        command.addAll(java);
        command.add(RdmaTests.class.getName());
        command.add(results.toString());
        command.addAll(classes);
        return new ProcessBuilder(command)
                .directory(SourceTree.root().toFile())
                .inheritIO()
                .start()
                .waitFor();
    }
}
