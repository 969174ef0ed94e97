package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults of many kinds under a load of clients. A build that draws them does a few, {@code -Drcc.faults=40 -Drcc.hang.seconds=3600} and {@code -Drcc.seed=N} more,
 * and others.
 */
class FaultsAtRandomIT {
    private static final String COUNT = System.getProperty("rcc.faults", "2");
    private static final String SEED = System.getProperty("rcc.seed", "3");
    private static final String KINDS = System.getProperty("rcc.kinds", "double-kill,kill-again");

    @TempDir
    private Path directory;

    // Goal: acknowledged writes outlive any faults that leave a copy, outcomes reported to clients are true,
    // and the cluster comes back by itself.
    @Test
    void shouldKeepItsGuaranteesToClientsUnderRandomFaults(TestReporter reporter) throws Exception {
        Drills.assumeDrawn(Drills.AT_RANDOM);
        try (RccProcess up = RccProcess.up(directory, "--nodes", "3", "--fabric", "tcp", "--failure-ms", "4000");
                RccProcess faults = RccProcess.run(
                        directory,
                        "cluster",
                        "faults",
                        "--dir",
                        RccProcess.CLUSTER,
                        "--random",
                        SEED,
                        "--count",
                        COUNT,
                        "--kinds",
                        KINDS,
                        "--think-ms",
                        Drills.THINK_MILLIS)) {
            assertThat(faults.exitCode()).as("%s, of %s", faults, up).isZero();
            assertThat(faults.out())
                    .contains(COUNT + " of " + COUNT + " faults", "keys stuck 0", "all invariants hold")
                    .doesNotContain("VIOLATION");
            reporter.publishEntry("faults", faults.out());
        }
    }
}
