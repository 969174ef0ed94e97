package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.cli.Rcc;
import dev.rcc.core.testing.BuildDraw;
import dev.rcc.core.testing.SourceTree;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A cluster of real processes on a network, as operators start, watch, use and end it. */
abstract class ClusterContract {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern METRIC = Pattern.compile("\\brcc_[a-z_]+");

    @TempDir
    private Path directory;

    /** The network. */
    abstract String fabric();

    @BeforeEach
    void assumeDrawn(TestInfo test) {
        BuildDraw.assumeDrawn(test, fabric(), List.of("tcp", "shm"));
    }

    /** Files that the nodes share, whether they live or not; none on most networks. */
    List<Path> shared(Path configuration) throws IOException {
        return List.of();
    }

    private List<Path> shared() throws IOException {
        return shared(directory.resolve("c/node0.yaml"));
    }

    private RccProcess up() throws Exception {
        return RccProcess.up(directory, "--nodes", "3", "--fabric", fabric());
    }

    private JsonNode status() {
        return RccProcess.status(directory);
    }

    private String cluster() {
        return directory.resolve(RccProcess.CLUSTER).toString();
    }

    private CommandResult down() {
        return CommandResult.here("cluster", "down", "--dir", cluster());
    }

    /** The nodes' logs: a node that ends too early gives the reason there. */
    private String logs() throws IOException {
        StringBuilder logs = new StringBuilder();
        for (int node = 0; node < 3; node++) {
            Path log = directory.resolve("c/node" + node + ".log");
            logs.append("\n").append(log).append(":\n").append(Files.readString(log));
        }
        return logs.toString();
    }

    private static List<ProcessHandle> processes(JsonNode status) {
        return StreamSupport.stream(status.get("nodes").spliterator(), false)
                .map(node -> ProcessHandle.of(node.get("pid").asLong()).orElseThrow())
                .toList();
    }

    private static HttpResponse<String> get(JsonNode status, int node, String path) {
        return Admin.get(status.get("nodes").get(node), path);
    }

    /** The names of RCC's own metrics; a histogram's samples have one name. */
    private static Set<String> metricsIn(String page) {
        return METRIC.matcher(page)
                .results()
                .map(name -> name.group().replaceFirst("_(bucket|count|sum|max|created)$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The metrics that are documented for operators; some are of certain networks, or of nodes with their data on disk. */
    private static Set<String> documentedMetrics() throws IOException {
        return metricsIn(Files.readString(SourceTree.root().resolve("docs/operations/watch.md")));
    }

    private static int primaryOf(int partition, JsonNode status) {
        return MAPPER.readTree(get(status, 0, "/status").body())
                .get("partitions")
                .get(partition)
                .get("primary")
                .asInt();
    }

    // Goal: a cluster of processes works as a cluster in one JVM does, is judged by the same invariants, and
    // shows its state to operators.
    @Test
    void shouldServeBenchmarksOnProcessesAndShowTheirState() throws Exception {
        List<ProcessHandle> processes;
        try (RccProcess up = up()) {
            JsonNode status = status();
            processes = processes(status);
            assertThat(status.get("nodes"))
                    .hasSize(3)
                    .allSatisfy(node -> assertThat(node.get("state").asString()).isEqualTo("running"))
                    .allSatisfy(
                            node -> assertThat(node.get("client").asString()).startsWith("127.0.0.1:"));
            assertThat(status.get("epoch").isIntegralNumber()).isTrue();
            assertThat(status.get("members")).hasSize(3);
            assertThat(status.get("partitions")).hasSize(3);
            assertThat(get(status, 0, "/status").body()).contains("\"synchronised\" : false", "wall clock");
            assertThat(status.get("partitions").get(1).get("primary").asInt()).isEqualTo(1);
            assertThat(status.get("partitions").get(1).get("backups").toString())
                    .isEqualTo("[2,0]");

            for (String code : List.of("rpc", "one-sided")) {
                assertRuns("nowait", "smallbank", "--code", code, "-P", "accounts=500");
            }
            assertRuns("sundial", "ycsb-e", "-P", "records-per-node=200");
            for (String mode : List.of("client", "procedures")) {
                assertRuns(
                        "nowait",
                        "smallbank",
                        "-P",
                        "accounts=500",
                        "--through",
                        mode,
                        "--clients",
                        "6",
                        "--connections",
                        "2");
                JsonNode json = MAPPER.readTree(Files.readString(directory.resolve("result.json")));
                assertThat(json.get("through").asString()).isEqualTo(mode);
                assertThat(json.get("client_cpu_s").asDouble())
                        .isPositive()
                        .isLessThan(json.get("cpu_s").asDouble());
            }
            RccProcess.await(
                    "node 0 serves again", () -> get(status, 0, "/health/ready").statusCode() == 200);
            assertThat(get(status, 0, "/metrics").body())
                    .contains("rcc_commits_total{node=\"0\"}", "rcc_aborts_total{node=\"0\",reason=\"lock-conflict\"}")
                    .contains(
                            "rcc_transaction_seconds_bucket{node=\"0\",le=\"1.0E-6\"}",
                            "rcc_peers_missing{node=\"0\"} 0.0")
                    .contains(
                            "rcc_fabric_batches_total{node=\"0\"}",
                            "rcc_fabric_operations_total{kind=\"served-calls\",node=\"0\"}",
                            "rcc_fabric_lost_connections_total{node=\"0\"} 0.0")
                    .contains("jvm_memory_used_bytes");
            assertThat(documentedMetrics())
                    .containsAll(metricsIn(get(status, 0, "/metrics").body()));

            processes.get(2).destroyForcibly();
            RccProcess.await("the others go on without node 2", () -> primaryOf(2, status) == 0);
            RccProcess.await(
                    "node 0 serves", () -> get(status, 0, "/health/ready").statusCode() == 200);
            assertThat(get(status, 0, "/health/live").statusCode()).isEqualTo(200);
            assertThat(get(status, 0, "/metrics").body()).contains("rcc_peers_missing{node=\"0\"} 1.0");
            assertThat(status().get("nodes").get(2).get("state").asString()).isEqualTo("gone");

            Files.delete(directory.resolve("c/benchmark.json")); // of this process, which lives on
            RccProcess restart = RccProcess.run(directory, "cluster", "restart", "2", "--dir", "c");
            assertThat(restart.exitCode()).as("%s, of %s", restart, up).isZero();
            JsonNode again = status().get("nodes").get(2);
            assertThat(again.get("state").asString()).isEqualTo("running");
            assertThat(again.get("pid").asLong()).isNotEqualTo(processes.get(2).pid());

            CommandResult down = down();
            assertThat(down.exitCode()).as("%s", down).isZero();
            assertThat(up.exitCode()).as("%s", up).isNotZero(); // a node had ended by itself
        }
        assertThat(shared()).isEmpty();
        RccProcess.awaitEnd(processes);
        assertThat(Files.readString(directory.resolve("c/node2.log")))
                .contains("draining", "ended"); // its second process
        assertThat(Files.readString(directory.resolve("c/node0.log"))).contains("draining", "ended");
    }

    private void assertRuns(String protocol, String workload, String... more) throws IOException {
        JsonNode json = ShortBench.untilItCommits(0.5, seconds -> report(protocol, workload, seconds, more));
        assertThat(json.get("fabric").asString()).isEqualTo(fabric());
        assertThat(json.get("nodes").asInt()).isEqualTo(3);
        assertThat(json.get("cpu_s").asDouble()).isPositive();
        assertThat(json.get("committed_per_cpu_s").asDouble()).isPositive();
        assertThat(json.get("history").get("transactions").asLong()).isPositive();
    }

    private JsonNode report(String protocol, String workload, String seconds, String... more) throws IOException {
        Path result = directory.resolve("result.json");
        List<String> arguments = new ArrayList<>(List.of("bench", "--cluster", cluster(), "--protocol", protocol));
        arguments.addAll(List.of("--workload", workload, "--check", "--warmup", "0.1", "--seconds", seconds));
        arguments.addAll(List.of("--coroutines", "3", "--json", result.toString()));
        arguments.addAll(List.of(more));
        CommandResult bench = CommandResult.here(arguments.toArray(String[]::new));
        assertThat(bench.exitCode()).as("%s%s", bench, logs()).isZero();
        JsonNode json = MAPPER.readTree(Files.readString(result));
        assertThat(json.get("invariants").asString()).as("%s", bench).isEqualTo("ok");
        assertThat(json.get("history").get("clean").asBoolean()).isTrue();
        return json;
    }

    private RccProcess startBench() throws IOException {
        return RccProcess.start(
                directory,
                List.of(
                        "bench",
                        "--cluster",
                        cluster(),
                        "--code",
                        "rpc",
                        "-P",
                        "accounts=500",
                        "--warmup",
                        "0",
                        "--seconds",
                        "86400"));
    }

    private void awaitAll(String state) throws InterruptedException {
        RccProcess.await(
                "all nodes in state " + state,
                () -> StreamSupport.stream(status().get("nodes").spliterator(), false)
                        .allMatch(node -> node.get("state").asString().equals(state)));
    }

    // Goal: nodes do not run the transactions of a benchmark for ever that cannot give them back, as it was killed.
    @Test
    void shouldServeAgainAfterABenchmarkIsKilled() throws Exception {
        try (RccProcess _ = up();
                RccProcess bench = startBench()) {
            awaitAll("benchmark");
            bench.process().destroyForcibly().waitFor();
            awaitAll("running");
        }
    }

    // Goal: users read which node has ended and where to look, in place of exceptions.
    @Test
    void shouldNameTheNodeThatEndsDuringABenchmarkAndBeforeTheNextOne() throws Exception {
        try (RccProcess _ = up();
                RccProcess bench = startBench()) {
            awaitAll("benchmark");
            JsonNode victim = status().get("nodes").get(1);
            RccProcess.kill(List.of(victim));
            String lost = "node 1 has ended: its process " + victim.get("pid") + " is gone; its log "
                    + directory.resolve("c/node1.log")
                    + " does not say why, as if it was killed. 'rcc cluster restart 1 --dir "
                    + cluster() + "' starts it again";
            assertThat(bench.exitCode()).as("%s", bench).isEqualTo(Rcc.FAILED);
            assertThat(bench.err().strip()).isEqualTo("rcc bench: the run failed: " + lost);

            CommandResult next = CommandResult.here("bench", "--cluster", cluster());
            assertThat(next.exitCode()).as("%s", next).isEqualTo(Rcc.BAD_INPUT);
            assertThat(next.err().strip())
                    .isEqualTo("rcc bench: --cluster: got '" + cluster() + "', allowed: a cluster whose nodes run; "
                            + lost);

            CommandResult restart = CommandResult.here("cluster", "restart", "1", "--dir", cluster());
            assertThat(restart.exitCode()).as("%s", restart).isZero();
            awaitAll("running");
        }
    }

    @Test
    void shouldLeaveNoProcessWhenTheOneThatStartedThemIsKilled() throws Exception {
        try (RccProcess up = up()) {
            List<ProcessHandle> processes = processes(status());
            up.process().destroyForcibly();
            processes.get(1).destroyForcibly();
            RccProcess.awaitEnd(processes);
        }
        CommandResult down = down();
        assertThat(down.exitCode()).as("%s", down).isZero();
        assertThat(shared()).isEmpty();
    }
}
