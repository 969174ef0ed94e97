package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.txn.Lease;
import dev.rcc.server.membership.Configuration;
import dev.rcc.transport.control.ControlChannel;
import dev.rcc.transport.control.ControlOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The leases of nodes that a change takes out, at a node that has granted none. */
class LeasesTest {
    /** Longer than a test takes. */
    private static final Duration LEASE = Duration.ofHours(1);

    private ControlChannel control;

    @AfterEach
    void close() {
        control.close();
    }

    private Leases leases(int nodes) throws IOException {
        Placement home = new RingPlacement(nodes, 2);
        control = ControlChannel.bind(
                ControlOptions.of("test", 0, nodes), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        List<Long> incarnations =
                IntStream.range(0, nodes).mapToObj(node -> 1L + node).toList();
        Configuration agreed = Configuration.of(1, incarnations, home);
        return new Leases(
                control, new MemberState(control, () -> agreed, Lease.over(System.nanoTime()), () -> {}), LEASE);
    }

    // Goal: no node serves when the others have gone on without it, even if a node that has granted it a lease died
    // and takes no part in the change.
    @ParameterizedTest(name = "{1} of {0} nodes are taken out: {2}")
    @CsvSource({"2, 1, false", "3, 1, false", "3, 2, true", "4, 2, false", "4, 3, true", "5, 2, false", "5, 3, true"})
    void shouldWaitForAWholeLeaseIfALostMajorityMayHaveGrantedOne(int nodes, int lost, boolean waits) throws Exception {
        BitSet absent = new BitSet();
        absent.set(nodes - lost, nodes);
        assertThat(leases(nodes).untilOver(absent).isDone()).isEqualTo(!waits);
    }
}
