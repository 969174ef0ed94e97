package dev.rcc.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.Model;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class RandomFaultsTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final ClusterShape SHAPE = new ClusterShape(3, 3, false, true, 1_000);

    @TempDir
    Path logs;

    /** Nodes without processes, one of which never comes up. */
    private final class Nodes implements ClusterNodes {
        private final Set<Integer> dead = new TreeSet<>();

        @Override
        public void kill(int node) {
            dead.add(node);
        }

        @Override
        public void terminate(int node) {
            dead.add(node);
        }

        @Override
        public void launch(int node) {
            dead.remove(node);
        }

        @Override
        public boolean canBeAsked(int node) {
            return isAlive(node);
        }

        @Override
        public boolean isAlive(int node) {
            return !dead.contains(node);
        }

        @Override
        public void stop(int node) {
            dead.add(node);
        }

        @Override
        public boolean goOn(int node) {
            return false;
        }

        @Override
        public Optional<JsonNode> status(int node) {
            ObjectNode status = MAPPER.createObjectNode();
            status.put("state", node == 2 ? "joining" : "running");
            return Optional.of(status);
        }

        @Override
        public Path log(int node) {
            return logs.resolve("node" + node + ".log");
        }
    }

    @Test
    void shouldEndWithWhatEachNodeSaysOfItselfWhenTheClusterIsNotWholeInTime() throws Exception {
        Files.writeString(logs.resolve("node2.log"), "waits\n12:00:00 ERROR [x] Y: it waits for ever\n");
        RandomFaults.Options options =
                new RandomFaults.Options("127.0.0.1:1", "faults", 64, 10, 2, 0, 1, 1, false, Model.SERIALIZABLE);
        List<String> progress = new ArrayList<>();
        FaultsResult result = new RandomFaults(options, SHAPE, new Nodes(), progress::add)
                .run(FaultSchedule.draw(1, 3, SHAPE, List.of(FaultKind.KILL)));
        assertThat(result.isClean()).isFalse();
        assertThat(result.report())
                .contains(
                        "0 of 3 faults",
                        "VIOLATION: STUCK: the cluster is not whole 1 s after the start",
                        "node 2, alive, /status: joining",
                        "it waits for ever");
        assertThat(result.toJson(MAPPER.createObjectNode())).contains("\"clean\" : false", "\"planned\" : 3");
    }
}
