package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** How a node is, by what it says of itself. */
class ClusterDirectoryTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

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
