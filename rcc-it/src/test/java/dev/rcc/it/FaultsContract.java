package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Harm done to the processes of a cluster under transfers: each node is a coordinator, a participant and a backup of others all the
 * time. All tests have one cluster, which is whole again after each. Every build does a little of it, as {@link Drills} says;
 * {@code -Drcc.kills=50 -Drcc.hang.seconds=1800} and {@code -Drcc.seed=N} do more, and something else.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FaultsContract {
    private static final String SEED = System.getProperty("rcc.seed", "1");

    private Path directory;
    private RccProcess up;

    /** The network. */
    abstract String fabric();

    /** The further options of {@code cluster up}. */
    List<String> options() {
        return List.of();
    }

    @BeforeAll
    void keep(@TempDir Path clusterDirectory) {
        directory = clusterDirectory;
    }

    /** Brings the cluster up, not before the first test that is drawn. */
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
        command.addAll(List.of("--think-ms", Drills.THINK_MILLIS));
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

    /** The place of its drills, as {@link Drills} has them. */
    String where() {
        return "on " + fabric();
    }

    /** Does harm to one node for a while. */
    final void harmForAWhile(TestReporter reporter, String fault) throws Exception {
        Drills.assumeDrawn(fault + " " + where());
        harm(reporter, "--fault", fault, "--count", "1", "--stop-seconds-min", "4", "--stop-seconds-max", "5");
    }

    @Test
    void shouldLoseNothingWhenNodesAreKilledAndStartedAgain(TestReporter reporter) throws Exception {
        Drills.assumeDrawn("kill " + where());
        harm(reporter, "--fault", "kill", "--count", System.getProperty("rcc.kills", "1"));
    }

    // Goal: a process that goes on after the others have gone on without it reports nothing false to any
    // client.
    @Test
    void shouldLoseNothingWhenNodesArePausedAndResumed(TestReporter reporter) throws Exception {
        harmForAWhile(reporter, "stop");
    }
}
