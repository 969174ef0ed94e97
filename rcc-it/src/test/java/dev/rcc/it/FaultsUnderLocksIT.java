package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that count under locks while nodes die. A build that draws it does a fault, {@code -Drcc.faults=20} and {@code -Drcc.seed=N} more, and others. */
class FaultsUnderLocksIT {
    private static final String COUNT = System.getProperty("rcc.faults", "1");
    private static final String SEED = System.getProperty("rcc.seed", "3");

    @TempDir
    private Path directory;

    // Goal: no count is lost, and a holder's writes are refused once it has lost its lock, whether its node
    // is dead or stopped for longer than the lease.
    @ParameterizedTest
    @ValueSource(strings = {"kill", "stop"})
    void shouldLoseNoCount(String fault, TestReporter reporter) throws Exception {
        Drills.assumeDrawn(fault + " under locks");
        try (RccProcess up = RccProcess.up(
                        directory,
                        "--nodes",
                        "3",
                        "--fabric",
                        "tcp",
                        "--failure-ms",
                        "4000",
                        "--locks",
                        "jobs:100:500:4");
                RccProcess faults = RccProcess.run(
                        directory,
                        "cluster",
                        "faults",
                        "--dir",
                        RccProcess.CLUSTER,
                        "--locks",
                        "jobs",
                        "--fault",
                        fault,
                        "--seed",
                        SEED,
                        "--count",
                        COUNT,
                        "--think-ms",
                        Drills.THINK_MILLIS)) {
            assertThat(faults.exitCode()).as("%s, of %s", faults, up).isZero();
            assertThat(faults.out())
                    .contains(COUNT + " faults (" + fault + ")", " 0 lost; ", "all invariants hold")
                    .doesNotContain("VIOLATION");
            reporter.publishEntry("faults", faults.out());
        }
    }
}
