package dev.rcc.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.cluster.Zones;
import dev.rcc.transport.control.LinkFaults;
import dev.rcc.transport.tcp.TcpProvider;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkDelaysTest {
    private static final Zones ZONES = Datacenters.parse(Datacenters.OPTION, "east, east, west, north.1", 4);

    // The delay that each node adds to its messages to nodes 0 to 3, in microseconds, jitter behind a plus.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        n0-n1=20ms                     | 0 | 0 20000 0 0
        n0-n1=20ms                     | 1 | 20000 0 0 0
        n0-n1=20ms                     | 2 | 0 0 0 0
        n2-n1=3us~7ms                  | 1 | 0 0 3+7000 0
        east-west=20ms                 | 0 | 0 0 20000 0
        east-west=20ms                 | 2 | 20000 20000 0 0
        east-west=20ms                 | 3 | 0 0 0 0
        east-east=1ms                  | 0 | 0 1000 0 0
        north.1-n2=1s, east-west=5us~0us | 2 | 5 5 0 1000000
        east-west=5ms,n1-n2=6ms        | 2 | 5000 6000 0 0
        """)
    void shouldDelayMessagesToPeersAsConfigured(String delay, int node, String expected) {
        LinkFaults faults = LinkDelays.faults(ZONES, delay, node).orElseThrow();
        StringBuilder delays = new StringBuilder();
        for (int peer = 0; peer < 4; peer++) {
            delays.append(peer == 0 ? "" : " ").append(faults.delay(peer).toNanos() / 1000);
            if (!faults.jitter(peer).isZero()) {
                delays.append('+').append(faults.jitter(peer).toNanos() / 1000);
            }
        }
        assertThat(delays).hasToString(expected);
    }

    @Test
    void shouldDelayNoLinkIfTheOptionIsEmpty() {
        assertThat(LinkDelays.faults(Zones.single(3), "", 0)).isEmpty();
        assertThat(LinkDelays.faults(ZONES, " ", 0)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "n0-n1",
                "n0=20ms",
                "n0-n1=20",
                "n0-n1=-1ms",
                "n0-n1=20ms~",
                "n0-n1=61s",
                "n0-n4=20ms",
                "n0-nowhere=1ms",
                "n0-n1=1ms,",
                "n0-n1=1ms~2ms~3ms",
                "n0-n1=1.5ms"
            })
    void shouldRefuseDelaysThatCannotBeMeant(String delay) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LinkDelays.faults(ZONES, delay, 0))
                .withMessageStartingWith("delay: got '");
    }

    // A cluster that names no data centres has one, which cannot be named either.
    @Test
    void shouldRejectTheDefaultNameOfADatacenter() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LinkDelays.faults(Zones.single(3), Zones.DEFAULT_NAME + "-n1=1ms", 0))
                .withMessageContaining("no node or datacenter " + Zones.DEFAULT_NAME + " among 3 nodes");
    }

    @Test
    void shouldDelayBothTheNetworkAndTheControlConnections() {
        ServerConfig config = ServerConfig.of(server(Map.of("delay", "n0-n1=20ms")));
        Optional<LinkFaults> faults = config.control(config.cluster()).faults();
        assertThat(faults.orElseThrow().delay(1)).hasMillis(20);
        assertThat(((TcpProvider) config.network()).chosen().faults()).containsSame(faults.get());
        ServerConfig near = ServerConfig.of(server(Map.of()));
        assertThat(near.control(near.cluster()).faults()).isEmpty();
        assertThat(((TcpProvider) near.network()).chosen().faults()).isEmpty();
    }

    @Test
    void shouldRejectADelayOfASharedMemoryNetwork() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerConfig.of(server(Map.of("delay", "n0-n1=20ms", "fabric", "shm"))))
                .withMessageContaining("delay: got 'n0-n1=20ms'")
                .withMessageContaining("tcp");
    }

    private static Map<String, String> server(Map<String, String> more) {
        return LoopbackOptions.of(2, more);
    }
}
