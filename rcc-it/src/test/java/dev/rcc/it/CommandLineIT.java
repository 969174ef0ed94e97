package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * The command line, end to end. Tests of the process, its output and its exit code run as users run it: the jar, in a process of its
 * own. Tests of the command alone run in this JVM, where they need not wait for one to start.
 */
@Timeout(CommandLineIT.HANG_SECONDS)
class CommandLineIT {
    static final long HANG_SECONDS = 240;

    @TempDir
    private Path directory;

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
    @ValueSource(strings = {"waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldRunAndCheckEveryProtocol(String protocol) throws Exception {
        JsonNode json = bench("--protocol", protocol, "--check", "-P", "accounts=200", "--coroutines", "3");
        assertThat(json.get("history").get("clean").asBoolean()).isTrue();
        assertThat(json.get("history").get("transactions").asLong()).isPositive();
    }

    @Test
    void shouldCompareProtocolsInOneTable() throws Exception {
        Path csv = directory.resolve("all.csv");
        CommandResult ended = CommandResult.ofProcess(
                directory,
                ("bench --protocol all --code rpc,one-sided,hybrid --fabric sim --workers 1 --coroutines 3 --seconds 0.001 -P accounts=2000 --csv "
                                + csv)
                        .split(" ", -1));
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.out()).contains("MODELLED as connectx4-edr", "mean time of a stage");
        assertThat(Files.readAllLines(csv)).hasSize(1 + 7 * 3);
    }

    @Test
    void shouldHuntAndReplay() throws Exception {
        CommandResult hunt = CommandResult.here("verify", "--protocol", "nowait,calvin", "--seeds", "2");
        assertThat(hunt.exitCode()).as("%s%n%s", hunt.out(), hunt.err()).isZero();
        assertThat(hunt.out()).contains("nowait", "calvin").doesNotContain("ANOMALY");
        Path history = directory.resolve("h.json.gz");
        assertThat(CommandResult.here("verify", "--protocol", "mvcc", "--seed", "2", "--history", history.toString())
                        .exitCode())
                .isZero();
        CommandResult check = CommandResult.here("check", history.toString());
        assertThat(check.exitCode()).as(check.err()).isZero();
        assertThat(check.out()).contains("serializable: ");
    }

    @Test
    void shouldTune() throws Exception {
        CommandResult ended = CommandResult.here(
                "tune", "--protocol", "calvin", "--fabric", "sim", "--seconds", "0.001", "-P", "accounts=2000");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.out()).contains("exhaustive search of 4 admissible codes", "The best hybrid, dispatch=");
    }

    // The promises of --json, in a run of an uncommon shape. The manifest is the jar's.
    @Test
    void shouldWriteNumbersAsNumbers() throws Exception {
        String[] shape = benchmark(
                "--nodes",
                "2",
                "--workers",
                "2",
                "--coroutines",
                "3",
                "--replicas",
                "2",
                "--seed",
                "-7",
                "-P",
                "accounts=2000");
        JsonNode json = result(CommandResult.ofProcess(directory, shape));
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
        CommandResult help = CommandResult.ofProcess(directory, "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("bench", "demo");
        CommandResult bench = CommandResult.here("bench", "--help");
        assertThat(bench.exitCode()).isZero();
        assertThat(bench.out())
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
        CommandResult version = CommandResult.ofProcess(directory, "--version");
        assertThat(version.exitCode()).isZero();
        assertThat(version.out()).startsWith("rcc ").contains("commit");
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
    void shouldRefuseBadInputInOneLine(List<String> namedThenGiven) {
        List<String> arguments = new ArrayList<>(List.of("bench"));
        arguments.addAll(namedThenGiven.subList(1, namedThenGiven.size()));
        String given = namedThenGiven.getLast();
        assertThatItIsRefused(
                CommandResult.here(arguments.toArray(String[]::new)),
                namedThenGiven.get(0),
                given.substring(given.indexOf('=') + 1));
    }

    @Test
    void shouldEndWithTheExitCodeOfBadInput() throws Exception {
        assertThatItIsRefused(
                CommandResult.ofProcess(directory, "bench", "--fabric", "pigeons"), "--fabric", "pigeons");
    }

    private static void assertThatItIsRefused(CommandResult ended, String... named) {
        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err().strip()).hasLineCount(1).contains(named).contains("allowed");
    }

    @Test
    void shouldRefuseAnUnknownCommandInOneLine() throws Exception {
        assertThatItIsRefused(CommandResult.ofProcess(directory, "benhc"), "benhc", "bench");
    }

    // Goal: a cluster can be brought up, used and ended by the lines of a script, and the command that brings
    // it up returns when it can be used.
    @Test
    void shouldKeepADetachedClusterRunningUntilTheDownCommand() throws Exception {
        LongTest.DETACHED.assumeDrawn();
        try {
            RccProcess up = cluster("up", "--detach", "--nodes", "2", "--fabric", "tcp", "--failure-ms", "4000");
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
            RccProcess.awaitEnd(nodes);
            assertThat(directory.resolve("c/node1.log")).content().contains("draining", "ended");
        } finally {
            cluster("down");
        }
    }

    @Test
    void shouldNameTheFailedNodeOfADetachedClusterAndEndTheOthers() throws Exception {
        LongTest.DETACHED.assumeDrawn();
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

    /** Runs a short benchmark in this JVM, and returns its --json report. */
    private JsonNode bench(String... arguments) throws IOException {
        return result(CommandResult.here(benchmark(arguments)));
    }

    /** The arguments of a short benchmark that writes its {@link #result}. */
    private String[] benchmark(String... arguments) {
        List<String> all = new ArrayList<>(List.of("bench", "--warmup", "0.05", "--seconds", "0.2"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--json", resultFile().toString()));
        return all.toArray(String[]::new);
    }

    private Path resultFile() {
        return directory.resolve("result.json");
    }

    /** The --json report of a benchmark that must have succeeded. */
    private JsonNode result(CommandResult ended) throws IOException {
        assertThat(ended.exitCode()).as("%s%n%s", ended.out(), ended.err()).isZero();
        assertThat(ended.out()).contains("invariants", "ok");
        JsonNode json = new ObjectMapper().readTree(Files.readString(resultFile()));
        assertThat(json.get("invariants").asString()).isEqualTo("ok");
        assertThat(json.get("committed").asLong()).isPositive();
        assertThat(json.get("attempted").asLong())
                .isGreaterThanOrEqualTo(json.get("committed").asLong());
        return json;
    }
}
