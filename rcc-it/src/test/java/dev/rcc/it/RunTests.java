package dev.rcc.it;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs test classes, for planted mistakes ({@code rcc-it/mutants/run}), and prints the first that fails. Exit code 0: all passed; 1: some
 * failed; 2: none ran.
 */
final class RunTests {
    /** A mistake that makes a test hang is found, too. */
    private static final String HANG = "2 m";

    private RunTests() {}

    public static void main(String[] classes) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(
                        Stream.of(classes).map(DiscoverySelectors::selectClass).toList())
                .configurationParameter("junit.jupiter.execution.timeout.test.method.default", HANG)
                .configurationParameter("junit.jupiter.execution.timeout.testtemplate.method.default", HANG)
                .configurationParameter("junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        List<TestExecutionSummary.Failure> failures = summary.getFailures();
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        failures.stream()
                .limit(1)
                .forEach(failure ->
                        out.println("    - " + failure.getTestIdentifier().getLegacyReportingName() + ": "
                                + String.valueOf(failure.getException().getMessage())
                                        .strip()
                                        .replaceAll("\\s+", " ")));
        System.exit(summary.getTestsStartedCount() == 0 ? 2 : failures.isEmpty() ? 0 : 1);
    }
}
