package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The state of a cluster on this machine, from its directory and its nodes. */
class ClusterDirectoryTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    @Test
    void shouldRefuseABenchmarkWhileAnotherProcessRunsOne(@TempDir Path directory) throws IOException {
        ProcessHandle other = ProcessHandle.current().parent().orElseThrow();
        ObjectNode json = MAPPER.createObjectNode();
        json.put("pid", other.pid());
        json.put("since", other.info().startInstant().orElseThrow().toString());
        Path note = directory.resolve("benchmark.json");
        Files.writeString(note, json.toString());
        assertThat(benchOn(directory)).contains("no other benchmark runs; process " + other.pid() + " runs one");

        json.put("since", "a process before it that had the same id");
        Files.writeString(note, json.toString());
        assertThat(benchOn(directory)).contains("no cluster runs there");
    }

    private static String benchOn(Path directory) {
        StringWriter err = new StringWriter();
        int code = Rcc.execute(
                new PrintWriter(new StringWriter()), new PrintWriter(err), "bench", "--cluster", directory.toString());
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
}
