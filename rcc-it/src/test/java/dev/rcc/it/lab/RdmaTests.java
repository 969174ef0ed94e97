package dev.rcc.it.lab;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests that need an RDMA device, in a JVM that is beside one: the program that {@link RdmaIT} starts in the lab.
 * Each result goes to the results file at once, so that a guest that dies leaves the results until then.
 */
public final class RdmaTests {
    /** The tag of tests that need an RDMA device. */
    static final String TAG = "rdma";

    private static final String END = "END";
    /** Only ends a test that hangs: on an emulated processor that other processes use, too, starting a few JVMs takes minutes. */
    private static final String TEST_TIMEOUT = "20 m";
    /** JUnit's name for a parameterized class with one of its parameters. */
    private static final String CLASS_INVOCATION = "class-template-invocation";

    private RdmaTests() {}

    /** The outcome of a test. */
    enum Outcome {
        STARTED,
        PASSED,
        SKIPPED,
        FAILED
    }

    /** A line of the results file. The detail is a failure's stack trace, or the reason for which a test was skipped. */
    record Result(Outcome outcome, String test, double seconds, String detail) {
        String line() {
            return String.join("\t", outcome.name(), escaped(test), Double.toString(seconds), escaped(detail));
        }

        static Result parse(String line) {
            String[] fields = line.split("\t", -1);
            return new Result(
                    Outcome.valueOf(fields[0]),
                    fields[1].translateEscapes(),
                    Double.parseDouble(fields[2]),
                    fields[3].translateEscapes());
        }

        private static String escaped(String text) {
            return text.replace("\\", "\\\\")
                    .replace("\n", "\\n")
                    .replace("\r", "\\r")
                    .replace("\t", "\\t");
        }
    }

    /** The results file. It is complete if the run came to its end. */
    record Results(List<Result> results, boolean isComplete) {
        static Results read(Path file) throws IOException {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            return new Results(
                    lines.stream()
                            .filter(line -> !line.equals(END))
                            .map(Result::parse)
                            .toList(),
                    lines.contains(END));
        }
    }

    /** Looks for tests that need an RDMA device. */
    static LauncherDiscoveryRequest request(List<? extends DiscoverySelector> where) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(where)
                .filters(TagFilter.includeTags(TAG), EngineFilter.includeEngines("junit-jupiter"))
                .configurationParameter("junit.jupiter.execution.timeout.testable.method.default", TEST_TIMEOUT)
                .build();
    }

    /** Runs those of the classes {@code args[1]} and following; the results go to the file {@code args[0]}. */
    public static void main(String[] args) throws IOException {
        List<? extends DiscoverySelector> classes =
                Arrays.stream(args).skip(1).map(DiscoverySelectors::selectClass).toList();
        boolean passed;
        try (PrintWriter results = new PrintWriter(Files.newBufferedWriter(Path.of(args[0])), true)) {
            Reporter reporter = new Reporter(results);
            LauncherFactory.create().execute(request(classes), reporter);
            results.println(END);
            passed = reporter.failed == 0;
            System.out.println(reporter.summary());
        }
        // A test may have left threads behind.
        System.exit(passed ? 0 : 1);
    }

    private static final class Reporter implements TestExecutionListener {
        private final PrintWriter results;
        private final Map<String, Long> startNanos = new HashMap<>();
        private TestPlan plan;
        private int passed;
        private int failed;
        private int skipped;

        Reporter(PrintWriter results) {
            this.results = results;
        }

        String summary() {
            return "%d RDMA tests: %d passed, %d failed, %d skipped"
                    .formatted(passed + failed + skipped, passed, failed, skipped);
        }

        @Override
        public void testPlanExecutionStarted(TestPlan started) {
            plan = started;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            startNanos.put(test.getUniqueId(), System.nanoTime());
            if (test.isTest()) {
                results.println(new Result(Outcome.STARTED, name(test), 0, "").line());
            }
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            skipped++;
            report(test, Outcome.SKIPPED, reason);
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            switch (result.getStatus()) {
                case SUCCESSFUL -> {
                    if (test.isTest()) {
                        passed++;
                        report(test, Outcome.PASSED, "");
                    }
                }
                // A class's, too: its @BeforeAll may have failed.
                case FAILED -> {
                    failed++;
                    report(test, Outcome.FAILED, trace(result));
                }
                case ABORTED -> {
                    skipped++;
                    report(test, Outcome.SKIPPED, trace(result));
                }
            }
        }

        private void report(TestIdentifier test, Outcome outcome, String detail) {
            Long start = startNanos.get(test.getUniqueId());
            double seconds = start == null ? 0 : (System.nanoTime() - start) / 1e9;
            Result result = new Result(outcome, name(test), seconds, detail);
            results.println(result.line());
            System.out.printf("%-7s %6.1f s  %s%n%s", outcome, seconds, result.test(), detail.indent(8));
        }

        /** Class and method, what the class is run for if it is run for several, and what the test is called beside its method. */
        private String name(TestIdentifier test) {
            String called = test.getDisplayName();
            return switch (test.getSource().orElse(null)) {
                case MethodSource method -> {
                    String name = method.getClassName() + "." + method.getMethodName() + parameters(test);
                    yield called.startsWith(method.getMethodName()) ? name : name + " " + called;
                }
                case ClassSource type -> type.getClassName();
                case null, default -> called;
            };
        }

        private String parameters(TestIdentifier test) {
            String parameters = "";
            for (Optional<TestIdentifier> at = plan.getParent(test); at.isPresent(); at = plan.getParent(at.get())) {
                if (at.get().getUniqueIdObject().getLastSegment().getType().equals(CLASS_INVOCATION)) {
                    parameters = " " + at.get().getDisplayName() + parameters;
                }
            }
            return parameters;
        }

        private static String trace(TestExecutionResult result) {
            StringWriter trace = new StringWriter();
            result.getThrowable().ifPresent(thrown -> thrown.printStackTrace(new PrintWriter(trace)));
            return trace.toString();
        }
    }
}
