package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** Commands of this machine's system, and its permissions. */
final class Machine {
    private Machine() {}

    /** Runs a command, which must succeed; returns its output. */
    static String run(String... command) throws IOException, InterruptedException {
        Ended ended = end(command);
        assertThat(ended.exitCode)
                .as("%s, which said %s", List.of(command), ended.said)
                .isZero();
        return ended.said;
    }

    /**
     * Skips the test where a command fails, as that means that the test's own cannot succeed either, unless this is a build that must
     * not skip anything (CI=true, as everywhere).
     */
    static void assumeAllows(String... command) throws IOException, InterruptedException {
        if ("true".equals(System.getenv("CI"))) {
            run(command);
        }
        Ended ended;
        try {
            ended = end(command);
        } catch (IOException e) {
            ended = new Ended(-1, e.toString());
        }
        Assumptions.assumeTrue(ended.exitCode == 0, List.of(command) + " said " + ended.said);
    }

    private record Ended(int exitCode, String said) {}

    private static Ended end(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said);
    }
}
