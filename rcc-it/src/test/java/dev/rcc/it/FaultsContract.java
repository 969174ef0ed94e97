package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Harm done to the processes of a cluster under transfers: each node is a coordinator, a participant and a backup of others all the
 * time. Every build does a little of it; {@code -Drcc.kills=50 -Drcc.hang.seconds=1800} and {@code -Drcc.seed=N} do more, and
 * something else.
 */
abstract class FaultsContract {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String KILLS = System.getProperty("rcc.kills", "3");
    private static final String SEED = System.getProperty("rcc.seed", "1");

    @TempDir
    private Path directory;

    /** The network. */
    abstract String fabric();

    private RccProcess up(List<String> more) throws Exception {
        List<String> options = new ArrayList<>(List.of("--nodes", "3", "--fabric", fabric()));
        options.addAll(more);
        return RccProcess.up(directory, options.toArray(String[]::new));
    }

    /** Does harm to a cluster that was brought up with some more options. */
    private void harm(TestReporter reporter, List<String> more, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("cluster", "faults", "--dir", RccProcess.CLUSTER, "--seed", SEED));
        command.addAll(List.of(arguments));
        try (RccProcess up = up(more);
                RccProcess faults = RccProcess.start(directory, command)) {
            RccProcess.await("the end of " + faults, () -> !faults.process().isAlive());
            assertThat(faults.exitCode())
                    .as("seed %s, %s, of %s", SEED, faults, up)
                    .isZero();
            assertThat(faults.out()).contains("from fault to next commit p50", "all invariants hold");
            reporter.publishEntry(fabric(), faults.out());
        }
    }

    /** Does harm to one node for a while. */
    final void harmForAWhile(TestReporter reporter, String fault, String... more) throws Exception {
        String[] once = {"--fault", fault, "--count", "1", "--stop-seconds-min", "5", "--stop-seconds-max", "6"};
        harm(reporter, List.of(more), once);
    }

    @Test
    void shouldLoseNothingWhenNodesAreKilledAndStartedAgain(TestReporter reporter) throws Exception {
        harm(reporter, List.of(), "--fault", "kill", "--count", KILLS);
    }

    // Goal: a process that goes on after the others have gone on without it tells nobody anything that is not so.
    @Test
    void shouldLoseNothingWhenNodesAreStoppedAndGoOn(TestReporter reporter) throws Exception {
        harmForAWhile(reporter, "stop");
    }

    @Test
    void shouldGoOnWithoutANodeThatEndsOnPurpose() throws Exception {
        try (RccProcess up = up(List.of())) {
            JsonNode nodes = RccProcess.status(directory).get("nodes");
            ProcessHandle.of(nodes.get(1).get("pid").asLong()).orElseThrow().destroy();
            URI page = URI.create(nodes.get(0).get("admin").asString() + "/status");
            RccProcess.await(
                    "node 2 is the primary of partition 1, as " + up + " shows",
                    () -> status(page).get("partitions").get(1).get("primary").asInt() == 2);
            JsonNode status = status(page);
            assertThat(status.get("epoch").asLong()).isEqualTo(2);
            assertThat(status.get("members").get(1).get("member").asBoolean()).isFalse();
            assertThat(status.get("partitions").get(0).get("backups").toString())
                    .isEqualTo("[2]");
        }
    }

    private static JsonNode status(URI page) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return MAPPER.readTree(http.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString())
                    .body());
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
