package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.server.admin.AdminServer;
import dev.rcc.server.admin.AdminServer.Answer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A command that has borrowed the nodes of a cluster gives them back, however it ends. This test plays the nodes. A command that is asked to end is
 * a process of its own.
 */
class BorrowedNodesTest {
    /** Guards against hangs only. */
    private static final long HANG_SECONDS = 120;

    @TempDir
    private Path directory;

    private final BlockingQueue<String> news = new LinkedBlockingQueue<>();
    private final List<Node> nodes = new ArrayList<>();

    /** A node's process as the commands see it: takes each step, and remembers it. */
    private static final class Node implements AutoCloseable {
        private static final List<String> OTHER_STEPS = List.of("prepare", "start", "run", "reset", "check", "return");

        private final AdminServer server = new AdminServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        private final List<String> steps = new CopyOnWriteArrayList<>();
        private final BlockingQueue<String> news;
        private volatile boolean isCut;
        private volatile boolean refusesToBeBorrowed;
        private volatile String closesAt = "";

        Node(BlockingQueue<String> news) throws IOException {
            this.news = news;
            server.get("/status", _ -> Answer.ok(AdminServer.JSON, """
                    {"state": "running", "benchmark": false, "fabric": "tcp", "atomicity": "none",
                     "members": [{"datacenter": "dc1"}, {"datacenter": "dc1"}]}"""));
            OTHER_STEPS.forEach(step -> on(step, "{}"));
            on("missing", "{\"missing\": []}");
            on("end", "{\"ended\": true, \"tally\": 0, \"anomalies\": 0, \"counts\": {}}");
            on("logs", "{\"logged\": [], \"replayed\": []}");
            server.post("/bench/borrow", _ -> borrow());
            server.post("/bench/cut", _ -> cut(true));
            server.post("/bench/heal", _ -> cut(false));
            server.post("/bench/progress", _ -> Answer.ok(AdminServer.JSON, progress()));
            server.start();
        }

        private void on(String step, String answer) {
            server.post("/bench/" + step, _ -> done(step, answer));
        }

        private Answer done(String step, String answer) {
            if (step.equals(closesAt)) {
                server.close();
            }
            steps.add(step);
            news.add(step);
            return Answer.ok(AdminServer.JSON, answer);
        }

        private Answer borrow() {
            if (refusesToBeBorrowed) {
                throw new IllegalArgumentException("it lends itself to nobody");
            }
            return done("borrow", "{}");
        }

        private Answer cut(boolean cuts) {
            isCut = cuts;
            return done(cuts ? "cut" : "heal", "{}");
        }

        /** The other nodes go on at once without a node that is cut off, which serves no more and is told so. */
        private String progress() {
            return """
                    {"can_start": true, "serving": %s, "expelled": true, "epoch": 1, "members": [0, 1],
                     "committed": 1, "first_commit_nanos": {"2": %d}}""".formatted(!isCut, System.nanoTime());
        }

        @Override
        public void close() {
            server.close();
        }
    }

    @BeforeEach
    void bringUp() throws IOException {
        Files.writeString(directory.resolve("cluster.json"), "{\"nodes\": 2}");
        for (int id = 0; id < 2; id++) {
            Node node = new Node(news);
            nodes.add(node);
            Files.writeString(directory.resolve("node" + id + ".yaml"), "node: " + id + "\n");
            Files.writeString(
                    directory.resolve("node" + id + ".json"),
                    "{\"pid\": %d, \"admin\": \"http://127.0.0.1:%d\"}"
                            .formatted(
                                    ProcessHandle.current().pid(),
                                    node.server.address().getPort()));
        }
    }

    @AfterEach
    void bringDown() {
        nodes.forEach(Node::close);
    }

    private List<String> bench() {
        return List.of(
                "bench",
                "--cluster",
                directory.toString(),
                "--code",
                "rpc",
                "-P",
                "accounts=10",
                "--warmup",
                "0",
                "--seconds",
                "86400");
    }

    private List<String> cuts() {
        return List.of(
                "cluster",
                "faults",
                "--dir",
                directory.toString(),
                "--fault",
                "cut",
                "--protocol",
                "nowait",
                "--code",
                "rpc",
                "--count",
                "100000",
                "--stop-seconds-min",
                "3600",
                "--stop-seconds-max",
                "3600");
    }

    @Test
    void shouldGiveNodesBackWhenAnotherNodeRefusesToBeBorrowed() {
        nodes.get(1).refusesToBeBorrowed = true;
        StringWriter err = new StringWriter();
        int code =
                Rcc.execute(new PrintWriter(new StringWriter()), new PrintWriter(err), bench().toArray(String[]::new));
        assertThat(code).isEqualTo(Rcc.FAILED);
        assertThat(err.toString()).contains("node 1", "it lends itself to nobody");
        assertThat(nodes.get(0).steps).containsExactly("borrow", "return");
    }

    // Goal: users read which node is lost, and whether its process runs, and no exceptions.
    @Test
    void shouldNameTheNodeThatClosesItsConnectionAndGiveTheOthersBack() {
        nodes.get(1).closesAt = "reset";
        StringWriter err = new StringWriter();
        int code =
                Rcc.execute(new PrintWriter(new StringWriter()), new PrintWriter(err), bench().toArray(String[]::new));
        assertThat(code).isEqualTo(Rcc.FAILED);
        assertThat(err.toString().strip())
                .isEqualTo(
                        "rcc bench: the run failed: node 1 does not answer, or has closed the connection, although its"
                                + " process " + ProcessHandle.current().pid() + " still runs; its log is "
                                + directory.resolve("node1.log"));
        assertThat(nodes.get(0).steps).endsWith("return");
    }

    @Test
    void shouldGiveNodesBackWhenABenchmarkIsAskedToEnd() throws Exception {
        askToEndAfter("reset", bench());
        assertThat(nodes).allSatisfy(node -> assertThat(node.steps).endsWith("return"));
    }

    @Test
    void shouldEndTheFaultAndGiveNodesBackWhenADrillOfOneKindIsAskedToEnd() throws Exception {
        String said = askToEndAfter("cut", cuts());
        assertThat(said).contains("asked to end: no further faults", "1: node ");
        assertThat(nodes).noneMatch(node -> node.isCut);
        assertThat(nodes).allSatisfy(node -> assertThat(node.steps).endsWith("return"));
        assertThat(directory).isDirectoryNotContaining("glob:**acknowledged*");
    }

    /** Runs a command in a process of its own, asks it to end once a node has taken a step, and returns its output. */
    private String askToEndAfter(String step, List<String> arguments) throws Exception {
        Path out = directory.resolve("out.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Rcc.class.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            awaitStep(step, process, out);
            process.destroy();
            assertThat(process.waitFor(HANG_SECONDS, TimeUnit.SECONDS))
                    .as("%s", Files.readString(out))
                    .isTrue();
            return Files.readString(out);
        } finally {
            process.destroyForcibly();
        }
    }

    private void awaitStep(String step, Process process, Path out) throws Exception {
        String next;
        do {
            next = news.poll(HANG_SECONDS, TimeUnit.SECONDS);
            assertThat(next)
                    .as("steps until '%s'; the process, alive: %s, says %s", step, process.isAlive(), out)
                    .isNotNull();
        } while (!step.equals(next));
    }
}
