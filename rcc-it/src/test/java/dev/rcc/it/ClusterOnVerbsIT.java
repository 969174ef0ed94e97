package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.cli.Rcc;
import dev.rcc.transport.verbs.LabDraw;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A cluster of three processes on one RDMA device. {@link ClusterContract}, which the other networks have, takes a dozen JVMs, and
 * in the lab a JVM takes long to start; so here the commands run in this one, and only the nodes have processes, started with the
 * options and the class path of this JVM. The limits of time are for an emulated processor that other processes use too.
 */
@Tag("rdma")
class ClusterOnVerbsIT {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** Guards against hangs only. */
    private static final long HANG_MINUTES = 20;
    /** Silence after which a node counts as dead, and which ends before a JVM that is killed is noticed otherwise. */
    private static final Duration FAILURE = Duration.ofSeconds(60);

    private static final int ACCOUNTS = 200;

    @TempDir
    private Path directory;

    private final StringWriter said = new StringWriter();

    private String dir() {
        return directory.resolve("c").toString();
    }

    private int rcc(String... arguments) {
        PrintWriter out = new PrintWriter(said, true);
        return Rcc.execute(out, out, arguments);
    }

    private CompletableFuture<Integer> up() throws Exception {
        CompletableFuture<Integer> up = CompletableFuture.supplyAsync(
                () -> rcc(
                        "cluster",
                        "up",
                        "--nodes=3",
                        "--fabric=verbs",
                        "--fabric-options=verbs.rpc-timeout-ms=60000",
                        "--dir=" + dir(),
                        "--failure-ms=" + FAILURE.toMillis(),
                        "--recovery-seconds=0", // its leases are shorter than an emulated processor's pauses
                        "--start-seconds=" + TimeUnit.MINUTES.toSeconds(HANG_MINUTES)),
                // Of the common pool's threads, it would take the only one.
                task -> Thread.ofPlatform().daemon().start(task));
        await("the cluster runs", () -> up.isDone() || said.toString().contains("The cluster runs"));
        assertThat(up).as("%s%s", said, logs()).isNotDone();
        return up;
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(String what, Condition condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(HANG_MINUTES);
        while (!condition.holds()) {
            assertThat(System.nanoTime() - deadline)
                    .as("nanoseconds until %s", what)
                    .isNegative();
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private String logs() throws IOException {
        StringBuilder logs = new StringBuilder();
        for (int node = 0; node < 3; node++) {
            Path log = directory.resolve("c/node" + node + ".log");
            logs.append(log).append(":\n").append(Files.exists(log) ? Files.readString(log) : "none");
        }
        return logs.toString();
    }

    private JsonNode node(int node) throws IOException {
        return MAPPER.readTree(Files.readString(directory.resolve("c/node" + node + ".json")));
    }

    // Goal: nodes that share nothing but the device and the control channel run transactions, by calls or
    // one-sided as the seed draws, after which the data is right; and the death of one of them is noticed at
    // the others in the configured time.
    @Test
    @Timeout(value = 2 * HANG_MINUTES, unit = TimeUnit.MINUTES)
    void shouldRunSmallBankOnThreeProcessesAndMissTheOneThatIsKilled() throws Exception {
        LabDraw.assumeTurn(LabDraw.PROCESSES, 0, LabDraw.ONE_OF_PROCESSES_IN);
        CompletableFuture<Integer> up = up();
        List<ProcessHandle> processes = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            processes.add(ProcessHandle.of(node(node).get("pid").asLong())
                    .orElseThrow(() -> new AssertionError("it is gone")));
        }
        try {
            for (String code : LabDraw.some("codes of a cluster", 1, List.of("rpc", "one-sided"))) {
                assertRuns(code);
            }
            await("node 0 serves again", () -> ready().isEmpty());
            long start = System.nanoTime();
            processes.get(2).destroyForcibly();
            await("node 0 misses node 2", () -> ready().contains("nodes [2] are unreachable"));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(FAILURE);
        } finally {
            processes.forEach(ProcessHandle::destroy);
            up.get(HANG_MINUTES, TimeUnit.MINUTES);
        }
        await("the end of the nodes", () -> processes.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(Files.readString(directory.resolve("c/node0.log"))).contains("draining", "ended");
    }

    /** Empty if node 0 serves; else the reason why it does not. */
    private String ready() throws IOException, InterruptedException {
        URI uri = URI.create(node(0).get("admin").asString() + "/health/ready");
        try (HttpClient http = HttpClient.newHttpClient()) {
            var response = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            return response.statusCode() == 200 ? "" : response.body();
        }
    }

    private void assertRuns(String code) throws IOException {
        JsonNode json = ShortBench.untilItCommits(1, seconds -> report(code, seconds));
        assertThat(json.get("fabric").asString()).isEqualTo("verbs");
        assertThat(json.get("nodes").asInt()).isEqualTo(3);
    }

    private JsonNode report(String code, String seconds) throws IOException {
        Path file = directory.resolve(code + ".json");
        int exitCode = rcc(
                "bench",
                "--cluster=" + dir(),
                "--protocol=nowait",
                "--code=" + code,
                "--workload=smallbank",
                "--warmup=0.1",
                "--seconds=" + seconds,
                "--coroutines=3",
                "--json=" + file,
                "-Paccounts=" + ACCOUNTS);
        assertThat(exitCode).as("%s%s", said, logs()).isZero();
        JsonNode json = MAPPER.readTree(Files.readString(file));
        assertThat(json.get("invariants").asString()).as("%s", said).isEqualTo("ok");
        return json;
    }
}
