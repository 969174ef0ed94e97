package dev.rcc.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.ClientOptions;
import dev.rcc.client.PermissionException;
import dev.rcc.client.RccClient;
import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.gateway.ServedGateway;
import dev.rcc.server.gateway.Users;
import dev.rcc.server.gateway.UsersFile;
import dev.rcc.server.procedure.Procedures;
import dev.rcc.server.testing.Awaiting;
import dev.rcc.transport.ExpectedLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ServerProcessTest {
    /** More than the greatest process id of Linux. */
    private static final String NO_PROCESS = "4194305";

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private Path state;

    @BeforeEach
    void nameTheStateFile() {
        state = directory.resolve("node0.json");
    }

    private ServerProcess process(int port, String... keysAndValues) {
        return new ServerProcess(config(port, keysAndValues), (_, _, _, _) -> {}, new PrintWriter(out));
    }

    private ServerConfig config(int port, String... keysAndValues) {
        Map<String, String> given = LoopbackOptions.of(
                1,
                Map.of(
                        "peers", "127.0.0.1:" + port,
                        "fabric", "tcp",
                        "coroutines", "1",
                        "tables", "accounts:long:8:100",
                        "admin", "127.0.0.1:0",
                        "client", "127.0.0.1:0",
                        "data-dir", directory.resolve("data").toString(),
                        "state", state.toString()));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            given.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return ServerConfig.of(given);
    }

    // Goal: an operator who starts a running node once more does not hide it from 'cluster status'.
    @Test
    void shouldLeaveTheStateFileOfTheProcessThatHasItsPort() throws Exception {
        Files.writeString(state, "of the living node");
        try (ServerSocket living = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThat(process(living.getLocalPort()).run("")).isFalse();
        }
        assertThat(out.toString()).startsWith("node 0: cannot start: ");
        assertThat(state).hasContent("of the living node");
    }

    @Test
    void shouldWriteWhereItIsFound() throws Exception {
        process(0).run(NO_PROCESS);
        JsonNode found = JsonMapper.shared().readTree(Files.readString(state));
        assertThat(found.required("id").asInt()).isZero();
        assertThat(found.required("pid").asLong())
                .isEqualTo(ProcessHandle.current().pid());
        assertThat(out.toString())
                .contains("node 0: admin " + found.required("admin").asString());
    }

    @Test
    void shouldShowAddressesAsTheyAreConfigured() {
        process(0, "peers", "127.0.0.1:7000,localhost:7001,[::1]:7002").waiting(null, List.of(1, 2));
        assertThat(out.toString())
                .isEqualToIgnoringNewLines(
                        "node 0: waiting for [node 1 (localhost:7001), node 2 ([0:0:0:0:0:0:0:1]:7002)]");
    }

    @Test
    void shouldDeleteItsStateFileIfItCannotStartAfterAll() throws Exception {
        Path data = Files.writeString(directory.resolve("data"), "no directory");
        ServerProcess process = process(
                0,
                "peers",
                "127.0.0.1:7000,127.0.0.1:7001",
                "listen",
                "127.0.0.1:0",
                "replicas",
                "2",
                "durability",
                "disk",
                "data-dir",
                data.toString());
        assertThat(process.run("")).isFalse();
        assertThat(out.toString()).startsWith("node 0: cannot start: ");
        assertThat(state).doesNotExist();
    }

    private static String user(String token) {
        return "app sha256=" + Users.hash(token) + " admin:*\n";
    }

    private static boolean isAdmitted(NodeHost.Front front, String token) {
        try (RccClient client =
                RccClient.connect(front.address().orElseThrow(), ClientOptions.DEFAULT.withToken(token))) {
            return !client.administration().sessions().isEmpty();
        } catch (PermissionException e) {
            return false;
        }
    }

    // Goal: while a benchmark has the process, the users' file counts as it is, not as it was when the process started.
    @Test
    void shouldAdmitThePresentUsersWhileItIsLeased() throws Exception {
        Path users = Files.writeString(directory.resolve("users"), user("first"));
        AtomicReference<NodeHost> host = new AtomicReference<>();
        AtomicReference<ServedGateway> gateway = new AtomicReference<>();
        ServerProcess process = new ServerProcess(
                config(0, "users-file", users.toString(), "bench", "yes"),
                (_, itsHost, _, itsGateway) -> {
                    host.set(itsHost);
                    gateway.set(itsGateway);
                },
                new PrintWriter(out));
        Process parent = new ProcessBuilder("sleep", "600").start();
        CompletableFuture<Boolean> ended =
                CompletableFuture.supplyAsync(() -> ran(process, parent), runnable -> new Thread(runnable).start());
        try {
            Awaiting.await("it runs", () -> out.toString().contains("node 0: running"));
            Files.writeString(users, user("second"));
            Awaiting.await("it admits the second", () -> isAdmitted(gateway.get(), "second"));

            host.get().borrow();
            NodeServer node =
                    host.get().create(host.get().serving(), TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
            ServedGateway front = gateway.get().standIn(options -> options, Procedures.NONE);
            front.prepare(node);
            node.join();
            Awaiting.await("its node can start", node::canStart);
            node.start();
            front.open(node);
            assertThat(isAdmitted(front, "first")).isFalse();
            assertThat(isAdmitted(front, "second")).isTrue();
            Files.writeString(users, user("third"));
            Awaiting.await("it admits the third", () -> isAdmitted(front, "third"));
            assertThat(isAdmitted(front, "second")).isFalse();
            front.close();
        } finally {
            parent.destroy();
            ended.join();
        }
    }

    private static boolean ran(ServerProcess process, Process parent) {
        try {
            return process.run(Long.toString(parent.pid()));
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // Goal: a file that a running node takes is one with which it starts, too: the cluster's own tables are no user's.
    @Test
    void shouldCheckAChangedUsersFileAsAtTheStart() throws Exception {
        Path file = Files.writeString(directory.resolve("users"), user("first"));
        List<Users> taken = new CopyOnWriteArrayList<>();
        try (ExpectedLog log = new ExpectedLog(UsersFile.class.getName());
                UsersFile users = config(0, "users-file", file.toString())
                        .usersFile(taken::add)
                        .orElseThrow()) {
            log.expect();
            users.watch();
            Files.writeString(file, user("second").replace("admin:*", "read:rcc.outcomes"));
            Awaiting.await("it is read", () -> !log.messages().isEmpty() || !taken.isEmpty());
            assertThat(taken).isEmpty();
            assertThat(log.messages().getFirst()).contains("event=users_file_invalid", "there is no rcc.outcomes");
        }
    }
}
