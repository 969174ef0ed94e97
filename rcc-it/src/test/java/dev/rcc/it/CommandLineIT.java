package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The command as users run it: the jar, in a process of its own. */
class CommandLineIT {
    private static final Path JAR = SourceTree.root().resolve("rcc-bench/target/rcc.jar");
    private static final long HANG_SECONDS = 120;

    @TempDir
    private Path directory;

    private record Ended(int exitCode, String out, String err) {}

    static List<String> codes() {
        return IntStream.range(0, 16)
                .mapToObj(n -> Integer.toBinaryString(16 | n).substring(1))
                .toList();
    }

    @ParameterizedTest(name = "smallbank, code {0}")
    @MethodSource("codes")
    void shouldRunSmallBankUnderEveryCode(String code) throws Exception {
        JsonNode json = bench("--code", code, "-P", "accounts=2000");
        assertThat(json.get("workload").asString()).isEqualTo("smallbank");
        assertThat(json.get("code").asString()).isEqualTo(code);
    }

    @ParameterizedTest(name = "ycsb, code {0}")
    @ValueSource(strings = {"rpc", "one-sided", "1011", "lock=rpc,log=one-sided,commit=one-sided,release=rpc"})
    void shouldRunYcsb(String code) throws Exception {
        JsonNode json = bench("--code", code, "--workload", "ycsb", "-P", "records-per-node=1000");
        assertThat(json.get("workload").asString()).isEqualTo("ycsb");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"waitdie", "occ", "mvcc", "sundial", "calvin"})
    void shouldRunAndCheckEveryProtocol(String protocol) throws Exception {
        JsonNode json = bench("--protocol", protocol, "--check", "-P", "accounts=200", "--coroutines", "3");
        assertThat(json.get("history").get("clean").asBoolean()).isTrue();
        assertThat(json.get("history").get("transactions").asLong()).isPositive();
    }

    @Test
    void shouldCompareProtocolsInOneTable() throws Exception {
        Path csv = directory.resolve("all.csv");
        Ended ended = rcc(("bench --protocol all --code rpc,one-sided,hybrid --fabric sim --seconds 0.002 --csv " + csv)
                .split(" ", -1));
        assertThat(ended.exitCode).as(ended.err).isZero();
        assertThat(ended.out).contains("MODELLED as connectx4-edr", "mean time of a stage");
        assertThat(Files.readAllLines(csv)).hasSize(1 + 6 * 3);
    }

    @Test
    void shouldHuntAndReplay() throws Exception {
        Ended hunt = rcc("verify", "--protocol", "all", "--seeds", "2");
        assertThat(hunt.exitCode).as("%s%n%s", hunt.out, hunt.err).isZero();
        assertThat(hunt.out).contains("nowait", "calvin").doesNotContain("ANOMALY");
        Path history = directory.resolve("h.json.gz");
        assertThat(rcc("verify", "--protocol", "mvcc", "--seed", "2", "--history", history.toString()).exitCode)
                .isZero();
        Ended check = rcc("check", history.toString());
        assertThat(check.exitCode).as(check.err).isZero();
        assertThat(check.out).contains("serializable: ");
    }

    @Test
    void shouldTune() throws Exception {
        Ended ended = rcc("tune", "--protocol", "calvin", "--fabric", "sim", "--seconds", "0.001");
        assertThat(ended.exitCode).as(ended.err).isZero();
        assertThat(ended.out).contains("exhaustive search of 4 admissible codes", "The best hybrid, dispatch=");
    }

    // What --json promises, in a run of an uncommon shape.
    @Test
    void shouldWriteNumbersAsNumbers() throws Exception {
        JsonNode json = bench("--nodes", "2", "--workers", "2", "--coroutines", "3", "--replicas", "2", "--seed", "-7");
        assertThat(json.get("protocol").asString()).isEqualTo("nowait");
        assertThat(json.get("fabric").asString()).isEqualTo("local");
        assertThat(json.get("nodes").asInt()).isEqualTo(2);
        assertThat(json.get("workers").asInt()).isEqualTo(2);
        assertThat(json.get("coroutines").asInt()).isEqualTo(3);
        assertThat(json.get("replicas").asInt()).isEqualTo(2);
        assertThat(json.get("seed").asInt()).isEqualTo(-7);
        for (String number :
                List.of("seconds", "committed", "attempted", "committed_per_s", "abort_rate", "round_trips_per_txn")) {
            assertThat(json.get(number).isNumber()).as(number).isTrue();
        }
        for (String number : List.of("p50", "p90", "p99", "p999", "max", "mean")) {
            assertThat(json.get("latency_us").get(number).isNumber()).as(number).isTrue();
        }
        for (String stage : List.of("lock", "log", "commit", "release")) {
            for (String number : List.of("count", "mean_us", "p99_us")) {
                assertThat(json.get("stages").get(stage).get(number).isNumber())
                        .as("%s of %s", number, stage)
                        .isTrue();
            }
        }
        assertThat(json.get("aborts").isObject()).isTrue();
        assertThat(json.get("manifest").get("version").asString()).isNotBlank();
    }

    @Test
    void shouldExplainItselfOnRequest() throws Exception {
        Ended help = rcc("--help");
        assertThat(help.exitCode).isZero();
        assertThat(help.out).contains("bench", "demo");
        Ended bench = rcc("bench", "--help");
        assertThat(bench.exitCode).isZero();
        assertThat(bench.out)
                .contains("--protocol", "--code", "--workload", "--fabric", "--nodes", "--workers", "--coroutines")
                .contains(
                        "--replicas",
                        "--warmup",
                        "--seconds",
                        "--seed",
                        "--json",
                        "-P",
                        "accounts=",
                        "records-per-node=");
        assertThat(rcc("--version").exitCode).isZero();
    }

    static Stream<List<String>> badInput() {
        return Stream.of(
                List.of("--protocol", "--protocol", "optimistic"),
                List.of("--code", "--code", "10110"),
                List.of("--code", "--code", "1021"),
                List.of("--code", "--code", ""),
                List.of("--workload", "--workload", "tpcx"),
                List.of("--fabric", "--fabric", "pigeons"),
                List.of("--nodes", "--nodes", "0"),
                List.of("--nodes", "--nodes", "257"),
                List.of("--nodes", "--nodes", "three"),
                List.of("--nodes", "--nodes"),
                List.of("--workers", "--workers", "-1"),
                List.of("--coroutines", "--coroutines", "99999999999999999999"),
                List.of("--coroutines", "--workers", "4", "--coroutines", "500"),
                List.of("--replicas", "--replicas", "4", "--nodes", "3"),
                List.of("--seconds", "--seconds", "NaN"),
                List.of("--seconds", "--seconds", "0"),
                List.of("--json", "--json", "/no/such/directory/result.json"),
                List.of("no-such-key", "-P", "no-such-key=1"),
                List.of("-P", "-P", "accounts"),
                List.of("accounts", "-P", "accounts=0"),
                List.of("--no-such-option", "--no-such-option"),
                List.of("stray", "stray"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badInput")
    void shouldRefuseBadInputInOneLine(List<String> namedThenGiven) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("bench"));
        arguments.addAll(namedThenGiven.subList(1, namedThenGiven.size()));
        Ended ended = rcc(arguments.toArray(String[]::new));
        assertThat(ended.exitCode).as(ended.err).isEqualTo(2);
        assertThat(ended.out).isEmpty();
        assertThat(ended.err.strip())
                .hasLineCount(1)
                .contains(namedThenGiven.get(0))
                .contains("allowed");
        String given = namedThenGiven.getLast();
        assertThat(ended.err).contains(given.substring(given.indexOf('=') + 1));
    }

    @Test
    void shouldRefuseAnUnknownCommandInOneLine() throws Exception {
        Ended ended = rcc("benhc");
        assertThat(ended.exitCode).isEqualTo(2);
        assertThat(ended.err.strip()).hasLineCount(1).contains("benhc", "allowed", "bench");
    }

    // Goal: a cluster can be brought up, used and ended by the lines of a script, and whoever brings it up knows when
    // it
    // can be used.
    @Test
    void shouldLeaveADetachedClusterRunningUntilItIsToldToEnd() throws Exception {
        try {
            RccProcess up = cluster("up", "--detach", "--nodes", "2", "--failure-ms", "4000");
            assertThat(up.exitCode()).as("%s", up).isZero();
            assertThat(up.out()).contains("The cluster runs");
            RccProcess status = cluster("status", "--json");
            assertThat(status.exitCode()).as("%s", status).isZero();
            List<ProcessHandle> nodes = processes();
            assertThat(nodes).hasSize(2).allMatch(ProcessHandle::isAlive);

            RccProcess again = cluster("up", "--detach", "--nodes", "2");
            assertThat(again.exitCode()).as("%s", again).isEqualTo(2);
            assertThat(again.err())
                    .contains("--dir", "process " + nodes.getFirst().pid());

            RccProcess restart = cluster("restart", "1", "--kill");
            assertThat(restart.exitCode()).as("%s", restart).isZero();
            nodes = processes();
            assertThat(cluster("status").exitCode()).isZero();

            RccProcess down = cluster("down");
            assertThat(down.exitCode()).as("%s", down).isZero();
            assertThat(cluster("status").exitCode()).isEqualTo(1);
            for (ProcessHandle node : nodes) {
                RccProcess.await("the end of " + node.pid(), () -> !node.isAlive());
            }
            assertThat(directory.resolve("c/node1.log")).content().contains("draining", "ended");
        } finally {
            cluster("down");
        }
    }

    @Test
    void shouldSayWhichNodeOfADetachedClusterDidNotStartAndEndTheOthers() throws Exception {
        Files.createDirectories(directory.resolve("c"));
        Files.writeString(directory.resolve("c/node1-data"), "no directory");
        try {
            RccProcess up = cluster("up", "--detach", "--nodes", "2", "--durability", "disk");
            assertThat(up.exitCode()).as("%s", up).isEqualTo(1);
            assertThat(up.out())
                    .contains("node 1 did not start, exit code", "the end of", "node1.log:")
                    .contains("node1-data", "The cluster has ended.");
            assertThat(directory.resolve("c/node0.pid")).doesNotExist();
            assertThat(cluster("status").exitCode()).isEqualTo(1);
        } finally {
            cluster("down");
        }
    }

    private RccProcess cluster(String command, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of("cluster", command, "--dir", "c"));
        all.addAll(List.of(options));
        return RccProcess.run(directory, all.toArray(String[]::new));
    }

    /** The processes that the files of a cluster of two nodes name. */
    private List<ProcessHandle> processes() throws IOException {
        List<ProcessHandle> processes = new ArrayList<>();
        for (int node = 0; node < 2; node++) {
            String pid = Files.readString(directory.resolve("c/node" + node + ".pid"));
            processes.add(ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow());
        }
        return processes;
    }

    /** Runs a short benchmark that must succeed, and returns what it wrote with --json. */
    private JsonNode bench(String... arguments) throws Exception {
        Path file = directory.resolve("result.json");
        List<String> all = new ArrayList<>(List.of("bench", "--warmup", "0.1", "--seconds", "0.4"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--json", file.toString()));
        Ended ended = rcc(all.toArray(String[]::new));
        assertThat(ended.exitCode).as("%s%n%s", ended.out, ended.err).isZero();
        assertThat(ended.out).contains("invariants", "ok");
        JsonNode json = new ObjectMapper().readTree(Files.readString(file));
        assertThat(json.get("invariants").asString()).isEqualTo("ok");
        assertThat(json.get("committed").asLong()).isPositive();
        assertThat(json.get("attempted").asLong())
                .isGreaterThanOrEqualTo(json.get("committed").asLong());
        return json;
    }

    private Ended rcc(String... arguments) throws IOException, InterruptedException {
        assertThat(JAR).as("built by the package phase of rcc-bench").isRegularFile();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-Xmx1g",
                "-jar",
                JAR.toString()));
        command.addAll(List.of(arguments));
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        if (!process.waitFor(HANG_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError(command + " hangs; it said " + Files.readString(out) + Files.readString(err));
        }
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
