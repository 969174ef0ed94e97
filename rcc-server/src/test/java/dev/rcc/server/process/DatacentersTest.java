package dev.rcc.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.cluster.Zones;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatacentersTest {
    private static ServerConfig server(Map<String, String> more) {
        Map<String, String> given = LoopbackOptions.of(5, "tables", "t:long:64:1000");
        given.putAll(more);
        return ServerConfig.of(given);
    }

    private static String problem(Map<String, String> more) {
        try {
            server(more);
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
        throw new AssertionError("accepted: " + more);
    }

    @Test
    void shouldPlaceCopiesInDifferentDatacenters() {
        ServerConfig config = server(Map.of("datacenters", "a, a, b, b, c"));
        assertThat(config.cluster().home()).isEqualTo(new RingPlacement(Zones.of(List.of("a", "a", "b", "b", "c")), 3));
        assertThat(server(Map.of()).cluster().home()).isEqualTo(new RingPlacement(5, 3));
    }

    // The replicas that were not given are as many as there is room for.
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {"a,a,a,a,b 2", "a,a,a,b,b 3", "a,b,c,d,e 3", "a,a,a,a,a 3", "a,b,b,b,b 2"})
    void shouldHaveNoMoreReplicasThanTheDatacentersHaveRoomFor(String datacenters, int replicas) {
        assertThat(server(Map.of("datacenters", datacenters)).cluster().replicas())
                .isEqualTo(replicas);
    }

    @Test
    void shouldRefuseMoreReplicasThanTheDatacentersHaveRoomFor() {
        assertThat(problem(Map.of("datacenters", "a,a,a,a,b", "replicas", "3")))
                .isEqualTo(
                        "replicas: got '3', allowed: an integer from 1 to 2, the number of data centres times the nodes"
                                + " of the smallest, in a,a,a,a,b");
        assertThat(problem(Map.of("replicas", "6")))
                .isEqualTo("replicas: got '6', allowed: an integer from 1 to the number of nodes, 5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b", "a,b,c,d,e,f", "a,b,c,d,", "a,n1,b,c,d", "a,b c,d,e,f"})
    void shouldRefuseDatacentersThatAreNotOnePerNode(String datacenters) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datacenters.parse(Datacenters.OPTION, datacenters, 5))
                .withMessage("datacenters: got '" + datacenters + "' for 5 nodes, allowed: " + Datacenters.ALLOWED);
        assertThat(problem(Map.of("datacenters", datacenters))).startsWith("datacenters: got '" + datacenters);
    }

    // Goal: nodes that place partitions otherwise refuse each other, and the reason can be read.
    @Test
    void shouldBePartOfTheConfigurationThatNodesCompare() {
        ServerConfig config = server(Map.of("datacenters", "a,a,b,b,c"));
        assertThat(config.control(config.cluster()).configuration()).contains("datacenters=a,a,b,b,c");
        ServerConfig other = server(Map.of("datacenters", "a,b,b,a,c"));
        assertThat(other.control(other.cluster()).configuration())
                .isNotEqualTo(config.control(config.cluster()).configuration());
    }

    // Goal: the places of partitions decide whether a disk fits, not the names of the data centres.
    @Test
    void shouldChangeTheFingerprintOfTheDataWithThePlacementOnly() {
        long fingerprint = server(Map.of("datacenters", "a,a,b,b,c")).cluster().dataFingerprint();
        assertThat(server(Map.of("datacenters", "x,x,y,y,z")).cluster().dataFingerprint())
                .isEqualTo(fingerprint);
        assertThat(server(Map.of("datacenters", "a,b,a,b,c")).cluster().dataFingerprint())
                .isNotEqualTo(fingerprint);
        assertThat(server(Map.of("datacenters", "a,a,a,a,a")).cluster().dataFingerprint())
                .isEqualTo(server(Map.of()).cluster().dataFingerprint())
                .isNotEqualTo(fingerprint);
    }
}
