package dev.rcc.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.transport.control.LinkFaults;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A network inside data centres, and another one between. */
class TwoNetworksTest {
    private static final String PEERS = "127.0.0.1:7000,localhost:7001,127.0.0.1:7002,127.0.0.1:7003";
    private static final String APART = "192.0.2.1:7000,192.0.2.1:7001,192.0.2.2:7002,192.0.2.2:7003";

    /** The value of each key, which an equals sign separates. */
    private static Map<String, String> given(String peers, String... more) {
        Map<String, String> given = new HashMap<>(Map.of("node", "0", "peers", peers, "tables", "t:long:64:1000"));
        given.putAll(Stream.of(more)
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(each -> each[0], each -> each[1])));
        return given;
    }

    private static ServerConfig server(String... more) {
        return ServerConfig.of(given(PEERS, more));
    }

    private static String problem(Map<String, String> given) {
        try {
            ServerConfig.ofUnborn(given);
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
        throw new AssertionError("accepted: " + given);
    }

    @Test
    void shouldTakeOneNetworkInsideAndAnotherBetween() {
        ServerConfig config = server("datacenters=a,a,b,b", "fabric=shm", "between=tcp");
        assertThat(config.network().name()).isEqualTo("shm+tcp");
        assertThat(config.network().atomicity()).isEqualTo(Atomicity.GLOBAL);
        assertThat(config.network().suitable()).isEqualTo(Primitive.ONE_SIDED);
        assertThat(config.network().fencesByKilling()).isTrue();
        assertThat(config.network().takesMemoryAtOnce()).isTrue();
    }

    // Goal: nodes of which only some use two networks refuse each other.
    @Test
    void shouldBePartOfTheConfigurationThatNodesCompare() {
        ServerConfig config = server("datacenters=a,a,b,b", "fabric=shm", "between=tcp");
        assertThat(config.control(config.cluster()).configuration()).contains("fabric=shm+tcp");
    }

    // Goal: one network that is named for both is one network.
    @Test
    void shouldTakeANetworkThatIsNamedTwiceOnce() {
        assertThat(server("datacenters=a,a,b,b", "fabric=tcp", "between=tcp").network())
                .isEqualTo(server("datacenters=a,a,b,b", "fabric=tcp").network());
    }

    @Test
    void shouldRefuseANetworkBetweenDatacentersThatWereNotNamed() {
        assertThat(problem(given(PEERS, "fabric=shm", "between=tcp")))
                .isEqualTo("between: got 'tcp', allowed: none unless 'datacenters' names the data centre of each node");
    }

    @Test
    void shouldRefuseNetworksThatDoNotLeadFromDatacenterToDatacenter() {
        for (String network : new String[] {"shm", "verbs", "udp"}) {
            assertThat(problem(given(PEERS, "datacenters=a,a,b,b", "between=" + network)))
                    .isEqualTo("between: got '" + network + "', allowed: one of none, tcp");
        }
    }

    // Goal: several hosts do not share memory, and a data centre may be a host.
    @Test
    void shouldRefuseSharedMemoryOfSeveralHosts() {
        String alone = problem(given(APART, "fabric=shm"));
        assertThat(alone)
                .contains(
                        "fabric: got 'shm', allowed: tcp or verbs where nodes that meet on it are on several hosts, as"
                                + " they are on 192.0.2.1, 192.0.2.2");
        String across = problem(given(APART, "fabric=shm", "between=tcp", "datacenters=a,b,a,b"));
        assertThat(across).contains("as those of data centre a are on 192.0.2.1, 192.0.2.2");
        ServerConfig config = ServerConfig.ofUnborn(
                given(APART, "fabric=shm", "between=tcp", "datacenters=a,a,b,b", "tcp.host=192.0.2.1"));
        assertThat(config.network().name()).isEqualTo("shm+tcp");
    }

    // Goal: a node does not wait for ever for peers that connect to themselves, as it has told them to.
    @ParameterizedTest
    @CsvSource({"127.0.0.1", "0.0.0.0", "localhost", "'[::]'"})
    void shouldRefuseAnAddressForDataWherePeersOnOtherHostsDoNotFindTheNode(String host) {
        String message =
                "tcp.host: got '" + host + "', allowed: an address of this node to which its peers can connect,"
                        + " as the nodes are on several hosts: 192.0.2.1, 192.0.2.2";
        assertThat(problem(given(APART, "tcp.host=" + host))).isEqualTo(message);
        assertThat(problem(given(APART, "fabric=shm", "between=tcp", "datacenters=a,a,b,b", "tcp.host=" + host)))
                .isEqualTo(message);
        server("tcp.host=127.0.0.1");
        assertThat(problem(given("127.0.0.1:7000,127.0.0.1:0")))
                .isEqualTo("peers: got '127.0.0.1:7000,127.0.0.1:0', allowed: ports from 1, as nodes connect to them");
    }

    // Goal: links between data centres can be made slower, with and without chance, and none inside where none can be.
    @Test
    void shouldDelayLinksBetweenDatacentersOnly() {
        String[] two = {"datacenters=a,a,b,b", "fabric=shm", "between=tcp", "delay=a-b=20ms~5ms"};
        ServerConfig config = server(two);
        LinkFaults faults = config.control(config.cluster()).faults().orElseThrow();
        assertThat(faults.delay(1)).isZero();
        assertThat(faults.jitter(1)).isZero();
        for (int peer = 2; peer < 4; peer++) {
            assertThat(faults.delay(peer)).hasMillis(20);
            assertThat(faults.jitter(peer)).hasMillis(5);
        }
        for (String each : new String[] {"n0-n1=20ms a", "n2-n3=0ms~1ms b"}) {
            String link = each.substring(0, each.length() - 2);
            two[3] = "delay=" + link;
            assertThat(problem(given(PEERS, two)))
                    .isEqualTo("delay: got '" + link + "', allowed: links between data centres on fabric shm, but "
                            + link.substring(0, 2) + " and " + link.substring(3, 5) + " are both in "
                            + each.substring(each.length() - 1));
        }
    }

    // Goal: a cluster that sends data over sockets beyond loopback has a secret, whichever of the two
    // networks has sockets.
    @Test
    void shouldAskForASecretWhereTheNetworkBetweenLeavesTheHost() {
        String[] two = {"datacenters=a,a,b,b", "fabric=shm", "between=tcp", "tcp.host=192.0.2.1"};
        try {
            ServerConfig.of(given(PEERS, two));
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("secret-file").hasMessageContaining("192.0.2.1");
            return;
        }
        throw new AssertionError("accepted");
    }
}
