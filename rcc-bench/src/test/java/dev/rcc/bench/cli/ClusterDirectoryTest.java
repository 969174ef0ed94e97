package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.durability.DurabilityOptions;
import dev.rcc.server.durability.NodeDurability;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The state of a cluster on this machine, from its directory and its nodes. */
class ClusterDirectoryTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    @TempDir
    private Path directory;

    /** Notes a living process in a file of the directory, by its id and start time. */
    private void note(String file, ProcessHandle process) throws IOException {
        note(file, process, OsProcess.start(process));
    }

    private void note(String file, ProcessHandle process, String since) throws IOException {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("pid", process.pid()).put("since", since).put("nodes", 1);
        Files.writeString(directory.resolve(file), json.toString());
    }

    private static ProcessHandle other() {
        return ProcessHandle.current().parent().orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"benchmark.json, a benchmark", "faults.json, a fault drill"})
    void shouldRefuseBenchmarksAndDrillsWhileAnotherProcessRunsOne(String file, String what) throws IOException {
        note("cluster.json", other());
        note(file, other());
        String refusal =
                "got '" + directory + "', allowed: a cluster that no other command breaks or measures; process "
                        + other().pid() + " runs " + what + " there";
        assertThat(refusalOf("bench", "--cluster", directory.toString())).contains("--cluster: " + refusal);
        for (String drill : List.of("--random", "--count")) {
            assertThat(refusalOf("cluster", "faults", "--dir", directory.toString(), drill, "1"))
                    .contains("--dir: " + refusal);
        }
        assertThat(directory.resolve(file)).content().contains("\"pid\":" + other().pid() + ",");
    }

    // Goal: a node that ends beside a drill or a benchmark, and is not one of its faults, spoils the result.
    @ParameterizedTest
    @CsvSource({"benchmark.json, a benchmark", "faults.json, a fault drill"})
    void shouldRefuseToRestartANodeWhileAnotherProcessRunsADrillOrABenchmark(String file, String what)
            throws IOException {
        Process node = shell("exec sleep 600");
        try {
            note("cluster.json", other());
            note(file, other());
            Files.writeString(directory.resolve("node0.pid"), node.pid() + "\n");
            assertThat(refusalOf("cluster", "restart", "0", "--kill", "--dir", directory.toString()))
                    .contains("--dir: got '" + directory
                            + "', allowed: a cluster that no other command breaks or measures; process "
                            + other().pid() + " runs " + what + " there");
            assertThat(node.isAlive()).isTrue();
        } finally {
            node.destroyForcibly();
        }
    }

    @Test
    void shouldNotTakeAProcessForAnEarlierOneOfItsId() throws IOException {
        note("benchmark.json", other(), "a process before it that had the same id");
        assertThat(refusalOf("bench", "--cluster", directory.toString())).contains("no cluster runs there");
    }

    @Test
    void shouldNotTakeADeadProcessForOneThatRunsABenchmark() throws Exception {
        assumeTrue(
                Files.exists(Path.of("/proc/self/stat")),
                "the system tells that a process is dead before its parent asks");
        Process parent = shell("sleep 600 & echo $!; exec sleep 600"); // which never asks
        try {
            ProcessHandle dead = ProcessHandle.of(
                            Long.parseLong(parent.inputReader().readLine()))
                    .orElseThrow();
            note("benchmark.json", dead);
            while (!Files.readString(Path.of("/proc/" + parent.pid() + "/comm")).equals("sleep\n")) {
                TimeUnit.MILLISECONDS.sleep(1); // it is still the shell, which might ask
            }
            OsProcess.kill(dead);
            assertThat(dead.isAlive()).isTrue();
            assertThat(refusalOf("bench", "--cluster", directory.toString())).contains("no cluster runs there");
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    void shouldEndNodesThatTheirStarterLeaves() throws Exception {
        Process starter = shell("exec sleep 600");
        Process node = shell("exec sleep 600");
        try {
            note("cluster.json", starter.toHandle());
            Files.writeString(directory.resolve("node0.pid"), node.pid() + "\n");
            assertThat(down()).isEqualTo(Rcc.OK);
            assertThat(starter.isAlive()).isFalse();
            assertThat(node.isAlive()).isFalse();
        } finally {
            starter.destroyForcibly();
            node.destroyForcibly();
        }
    }

    // The node's process starts the next one when it is asked to end, as a restart at the same time does.
    @Test
    void shouldEndANodeThatIsRestartedWhileTheClusterEnds() throws Exception {
        Process node = shell("trap 'sleep 600 & echo $! > node0.pid; echo $!; exit 0' TERM; echo ready;"
                + " while :; do sleep 0.05; done");
        Files.writeString(directory.resolve("cluster.json"), "{\"nodes\": 1}");
        Files.writeString(directory.resolve("node0.pid"), node.pid() + "\n");
        try (BufferedReader said = node.inputReader()) {
            assertThat(said.readLine()).isEqualTo("ready");
            assertThat(down()).isEqualTo(Rcc.OK);
            Optional<ProcessHandle> next = ProcessHandle.of(Long.parseLong(said.readLine()));
            boolean isLeft = next.filter(OsProcess::isAlive).isPresent();
            next.ifPresent(ProcessHandle::destroyForcibly);
            assertThat(isLeft).isFalse();
        } finally {
            node.destroyForcibly();
        }
    }

    @Test
    void shouldNotStartANodeOfAClusterThatHasEnded() {
        NodeProcesses nodes = new NodeProcesses(new ClusterDirectory(directory), List.of());
        assertThatThrownBy(() -> nodes.launch(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no cluster runs in " + directory);
        assertThat(nodes.isAlive(0)).isFalse();
    }

    // Goal: of two restarts at once, one does not forget the process that the other has started.
    @Test
    void shouldNotStartANodeThatAnotherCommandHasStartedMeanwhile() throws Exception {
        Process node = shell("exec sleep 600");
        try {
            Files.writeString(directory.resolve("cluster.json"), "{\"nodes\": 1}");
            Files.writeString(directory.resolve("node0.pid"), node.pid() + "\n");
            NodeProcesses nodes = new NodeProcesses(new ClusterDirectory(directory), List.of());
            assertThatThrownBy(() -> nodes.launch(0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("node 0 is not started")
                    .hasMessageContaining("process " + node.pid());
            assertThat(directory.resolve("node0.pid")).hasContent(Long.toString(node.pid()));
        } finally {
            node.destroyForcibly();
        }
    }

    @Test
    void shouldNotTouchTheFilesOfAClusterThatHasJustBegun() throws Exception {
        configure();
        Path config = directory.resolve("node0.yaml");
        String first = Files.readString(config);
        assertThatThrownBy(this::configure)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--dir: got '" + directory + "'")
                .hasMessageContaining("process " + ProcessHandle.current().pid() + " has one there");
        assertThat(config).hasContent(first);
    }

    // The data of node 0 is lost, or its first start ended before it had any.
    @Test
    void shouldTakeOverTheBirthOfTheDataOnAnyNodesDisk() throws Exception {
        String birth = writeData(1);
        configureOnDisk();
        for (int node = 0; node < 3; node++) {
            assertThat(directory.resolve("node" + node + ".yaml")).content().contains(birth);
        }
    }

    @Test
    void shouldRefuseDataOfTwoClusters() throws Exception {
        String first = writeData(1);
        String second = writeData(2);
        assertThatThrownBy(this::configureOnDisk)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--dir: got '" + directory + "', allowed: the data of one cluster")
                .hasMessageContaining("node 1 was born at " + first)
                .hasMessageContaining("node 2 was born at " + second);
    }

    /** Writes the data of a node of a new cluster, as node processes do; returns the cluster's birth. */
    private String writeData(int node) throws IOException {
        Path data = directory.resolve("cluster-of-" + node);
        DurabilityOptions durability = DurabilityOptions.in(data);
        ClusterConfig config = ClusterConfig.of(
                        Protocols.byName("nowait"), List.of(TableSchema.ofLongKeys(0, "t", 8, 1)))
                .withShape(3, 1, 1, 3)
                .withDurability(durability);
        try (EmbeddedCluster cluster = new EmbeddedCluster(config)) {
            cluster.start();
        }
        Path own = directory.resolve("node" + node + "-data");
        Files.createDirectories(own);
        Files.move(durability.directoryOf(node), own.resolve("node-" + node));
        long birth =
                NodeDurability.birthWallNanos(DurabilityOptions.in(own), node).orElseThrow();
        return Instant.ofEpochSecond(0, birth).toString();
    }

    private void configure() throws Exception {
        processes(1).configure(node -> node.put("fabric", "tcp"));
    }

    private void configureOnDisk() throws Exception {
        processes(3).configure(node -> {
            node.put("fabric", "tcp");
            node.put("durability", "disk");
        });
    }

    private ClusterProcesses processes(int nodes) {
        return new ClusterProcesses(
                new ClusterDirectory(directory), nodes, Optional.empty(), new PrintWriter(new StringWriter()));
    }

    private Process shell(String script) throws IOException {
        return new ProcessBuilder("/bin/sh", "-c", script)
                .directory(directory.toFile())
                .start();
    }

    private int down() {
        return Rcc.execute(
                new PrintWriter(new StringWriter()),
                new PrintWriter(new StringWriter()),
                "cluster",
                "down",
                "--dir",
                directory.toString());
    }

    // A clock that is set forward makes all files older than the processes that they name, as a resumed virtual
    // machine's does.
    @Test
    void shouldKnowTheProcessOfANodeAfterTheClockWasSetForward() throws IOException {
        ClusterDirectory cluster = new ClusterDirectory(directory);
        cluster.started(0, other());
        note("node0.json", other());
        FileTime before =
                FileTime.from(other().info().startInstant().orElseThrow().minusSeconds(3_600));
        for (String file : List.of("node0.pid", "node0.start", "node0.json")) {
            Files.setLastModifiedTime(directory.resolve(file), before);
        }

        assertThat(cluster.process(0)).contains(other());
        Files.delete(directory.resolve("node0.json"));
        assertThat(cluster.process(0)).contains(other());
    }

    @Test
    void shouldNotTakeAProcessWithTheIdOfADeadOneForANodes() throws IOException {
        ClusterDirectory cluster = new ClusterDirectory(directory);
        cluster.started(0, other());
        note("node0.json", other());
        Files.writeString(directory.resolve("node0.start"), "another start\n");

        assertThat(cluster.process(0)).isEmpty();
    }

    // Goal: after a power loss, each command names the file that is cut, and the way out.
    @ParameterizedTest
    @CsvSource({"cluster.json", "node0.json", "node0.pid", "faults.json", "benchmark.json"})
    void shouldNameAFileThatIsCut(String file) throws IOException {
        note("cluster.json", other(), "a process before it that had the same id");
        String[][] commands = {
            {"cluster", "status"},
            {"cluster", "down"},
            {"cluster", "restart", "0"},
            {"cluster", "up"},
            {"cluster", "faults"}
        };
        for (String text : List.of("", "\0\0\0\0", "{\"pi")) {
            Path cut = Files.writeString(directory.resolve(file), text);
            for (String[] command : commands) {
                List<String> words = new ArrayList<>(List.of(command));
                words.addAll(List.of("--dir", directory.toString()));
                assertThat(refusalOf(words.toArray(String[]::new)).lines())
                        .as("%s with '%s'", words, text)
                        .singleElement()
                        .asString()
                        .contains(": " + cut + ": got no ", "when no process of the cluster runs, delete it");
            }
            assertThat(cut).hasContent(text);
        }
    }

    private static String refusalOf(String... command) {
        StringWriter err = new StringWriter();
        int code = Rcc.execute(new PrintWriter(new StringWriter()), new PrintWriter(err), command);
        assertThat(code).isEqualTo(Rcc.BAD_INPUT);
        return err.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "running, false, true, running, true",
        "running, false, , running, true",
        "running, false, false, waiting, false",
        "running, true, false, benchmark, false",
        "joining, false, false, joining, false",
        "draining, false, true, draining, false"
    })
    void shouldTakeTransactionsOnlyIfItRunsAndHasAPlace(
            String said, boolean benchmark, Boolean serving, String state, boolean takes) {
        ObjectNode page = MAPPER.createObjectNode();
        page.put("state", said).put("benchmark", benchmark).put("client", "127.0.0.1:1");
        if (serving != null) {
            page.put("serving", serving);
        }
        assertThat(ClusterDirectory.stateIn(page)).isEqualTo(state);
        ClusterDirectory.NodeStatus node =
                new ClusterDirectory.NodeStatus(0, 1, "", ClusterDirectory.stateIn(page), Optional.of(page));
        assertThat(node.takesTransactions()).isEqualTo(takes);
    }

    // Goal: a drill whose clients are refused does not wait for them, as it does for gateways that are down.
    @ParameterizedTest
    @CsvSource({"--random, 1", "--locks, jobs"})
    void shouldRefuseDrillsWithClientsOnAClusterWithUsers(String drill, String value) throws IOException {
        Files.writeString(directory.resolve("cluster.json"), "{\"nodes\": 1}");
        Files.writeString(
                directory.resolve("node0.yaml"),
                "node: 0\npeers: 127.0.0.1:7000\nusers: ann sha256=" + "0".repeat(64) + " write:*\n");
        assertThat(refusalOf("cluster", "faults", "--dir", directory.toString(), drill, value))
                .contains("--dir: got '" + directory + "', allowed: a cluster without users");
    }
}
