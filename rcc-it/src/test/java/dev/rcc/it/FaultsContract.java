package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.BuildDraw;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Harm done to the processes of a cluster under transfers: each node is a coordinator, a participant and a backup of others all the
 * time. All tests have one cluster, which is whole again after each. Every build does a little of it, and what several networks have on one of
 * them; {@code -Drcc.kills=50 -Drcc.hang.seconds=1800} and {@code -Drcc.seed=N} do more, and something else.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FaultsContract {
    private static final String SEED = System.getProperty("rcc.seed", "1");

    private Path directory;
    private RccProcess up;

    /** The network. */
    abstract String fabric();

    /** How many nodes are killed in every build. */
    int kills() {
        return 2;
    }

    /** What else the cluster is brought up with. */
    List<String> options() {
        return List.of();
    }

    @BeforeAll
    void keep(@TempDir Path clusterDirectory) {
        directory = clusterDirectory;
    }

    /** Not before the first test that is drawn. */
    private void bringUp() throws Exception {
        if (up != null) {
            return;
        }
        List<String> options = new ArrayList<>(List.of("--nodes", "3", "--fabric", fabric()));
        options.addAll(options());
        up = RccProcess.up(directory, options.toArray(String[]::new));
    }

    @AfterAll
    void bringDown() {
        if (up != null) {
            up.close();
        }
    }

    private void harm(TestReporter reporter, String... arguments) throws Exception {
        bringUp();
        List<String> command =
                new ArrayList<>(List.of("cluster", "faults", "--dir", RccProcess.CLUSTER, "--seed", SEED));
        command.addAll(List.of(arguments));
        try (RccProcess faults = RccProcess.start(directory, command)) {
            RccProcess.await("the end of " + faults, () -> !faults.process().isAlive());
            assertThat(faults.exitCode())
                    .as("seed %s, %s, of %s", SEED, faults, up)
                    .isZero();
            assertThat(faults.out())
                    .contains(
                            "from fault to next commit p50",
                            "history of all incarnations: serializable",
                            "all invariants hold")
                    .doesNotContain("note:");
            reporter.publishEntry(fabric(), faults.out());
        }
    }

    /** Skips a test that this build has on another network. */
    void assumeDrawn(TestInfo test) {
        BuildDraw.assumeDrawn(test, fabric(), List.of("tcp", "shm"));
    }

    /** Does harm to one node for a while. */
    final void harmForAWhile(TestReporter reporter, String fault) throws Exception {
        harm(reporter, "--fault", fault, "--count", "1", "--stop-seconds-min", "4", "--stop-seconds-max", "5");
    }

    @Test
    void shouldLoseNothingWhenNodesAreKilledAndStartedAgain(TestInfo test, TestReporter reporter) throws Exception {
        assumeDrawn(test);
        harm(reporter, "--fault", "kill", "--count", Integer.toString(Integer.getInteger("rcc.kills", kills())));
    }
}
