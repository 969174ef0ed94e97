package dev.rcc.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
        Map<String, String> given = new LinkedHashMap<>(Map.of(
                "node", "0",
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
        return new ServerProcess(ServerConfig.of(given), (_, _, _) -> {}, new PrintWriter(out));
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
                "127.0.0.1:0,127.0.0.1:0",
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
}
