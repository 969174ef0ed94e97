package dev.rcc.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TableMemoryTest {
    private static final long GIBIBYTE = 1L << 30;
    /** A partition of each table needs 1.6 GB: a million records of 1 KB at a load factor of 65 percent. */
    private static final String TABLES = "big:long:1000:1000000";

    private static List<ServerConfig> nodes(int count, String... keysAndValues) {
        return IntStream.range(0, count)
                .mapToObj(node -> {
                    Map<String, String> keys = LoopbackOptions.of(3, keysAndValues);
                    keys.put("node", Integer.toString(node));
                    keys.putIfAbsent("tables", TABLES);
                    return ServerConfig.of(keys);
                })
                .toList();
    }

    @Test
    void shouldSayNothingOfTablesThatFit() {
        assertThat(TableMemory.check(nodes(1), 5 * GIBIBYTE)).isEmpty();
        assertThat(TableMemory.check(nodes(1, "replicas", "1"), 2 * GIBIBYTE)).isEmpty();
        assertThat(TableMemory.check(nodes(3, "fabric", "shm"), 15 * GIBIBYTE)).isEmpty();
    }

    @Test
    void shouldWarnOfTablesThatMayOutgrowTheMachine() {
        assertThat(TableMemory.check(nodes(1), 4 * GIBIBYTE))
                .hasValueSatisfying(
                        warning -> assertThat(warning).contains("the tables need 4.", "memory and swap, 4.0 GiB"));
        assertThat(TableMemory.check(nodes(3), 10 * GIBIBYTE))
                .hasValueSatisfying(warning -> assertThat(warning).contains("on all 3 nodes together"));
    }

    // Goal: what takes no memory before it is used does not count: by default, overflow segments on tcp.
    @Test
    void shouldCountOverflowSegmentsWhereTheyTakeMemoryAtTheStart() {
        String grows = TABLES + ":growth=3";
        assertThat(TableMemory.check(nodes(1, "tables", grows), 5 * GIBIBYTE)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableMemory.check(nodes(1, "tables", grows, "fabric", "shm"), 15 * GIBIBYTE));
    }

    @Test
    void shouldRefuseFullTablesThatTheMachineCannotHold() {
        ServerConfig any = nodes(1).getFirst();
        TableMemory.checkFull(any.cluster(), 15 * GIBIBYTE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableMemory.checkFull(any.cluster(), 10 * GIBIBYTE))
                .withMessageContainingAll("on all 3 nodes together", "10.0 GiB");
    }

    @Test
    void shouldRefuseTablesThatTheNodesCannotHoldFromTheStart() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableMemory.check(nodes(3, "fabric", "shm"), 10 * GIBIBYTE))
                .withMessageStartingWith("tables: got '" + TABLES + "', allowed: tables that fit into this machine's")
                .withMessageContainingAll("10.0 GiB", "on shm", "on all 3 nodes together");
    }
}
