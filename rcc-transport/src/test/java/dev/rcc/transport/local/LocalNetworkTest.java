package dev.rcc.transport.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.transport.ManualWorker;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalNetworkTest {
    private final LocalNetwork network = new LocalNetwork(2);

    @AfterEach
    void closeNetwork() {
        network.close();
    }

    @Test
    void shouldReportItsNameNodeAndAtomicity() {
        Fabric fabric = network.attach(1);
        assertThat(fabric.name()).isEqualTo("local");
        assertThat(fabric.node()).isEqualTo(1);
        assertThat(fabric.atomicity()).isEqualTo(Atomicity.GLOBAL);
    }

    @Test
    void shouldAttachANodeOnceAtATime() {
        Fabric first = network.attach(0);
        assertThatIllegalStateException().isThrownBy(() -> network.attach(0)).withMessageContaining("node 0");
        assertThat(network.isStopped(0)).isFalse();
        network.stop(0);
        assertThat(network.isStopped(0)).isTrue();
        network.attach(0);
        assertThat(network.isStopped(0)).isFalse();
        first.close();
        assertThat(network.isStopped(0)).as("stopped by its former incarnation").isFalse();
    }

    @Test
    void shouldRefuseNodesThatItDoesNotHave() {
        assertThatIllegalArgumentException().isThrownBy(() -> network.attach(2)).withMessageContaining("no node 2");
        assertThatIllegalArgumentException().isThrownBy(() -> network.stop(-1)).withMessageContaining("no node -1");
        assertThatIllegalArgumentException().isThrownBy(() -> network.isStopped(2));
    }

    @Test
    void shouldTakeAStopOfANodeThatWasNeverThereAndASecondClose() {
        network.stop(0);
        assertThat(network.isStopped(0)).isFalse();
        network.close();
        network.close();
    }

    @Test
    void shouldReachANodeOnlyFromItsStartUntilItIsStopped() {
        assertThat(network.reachable(0)).isNull();
        Fabric fabric = network.attach(0);
        Region buffers = fabric.register(0, 64);
        assertThat(network.reachable(0)).isNull();
        fabric.open(new ManualWorker(0, 0), buffers);
        assertThat(network.reachable(0)).isNull();
        fabric.start();
        assertThat(network.reachable(0)).isSameAs(fabric);
        assertThat(fabric.isReachable(0)).isTrue();
        assertThat(fabric.isReachable(1)).isFalse();
        fabric.close();
        assertThat(network.reachable(0)).isNull();
    }

    @Test
    void shouldServeWorkersInTheOrderOfTheirIndex() {
        LocalFabric fabric = (LocalFabric) network.attach(0);
        Region buffers = fabric.register(0, 64);
        for (int index : new int[] {2, 0, 1}) {
            fabric.open(new ManualWorker(0, index), buffers);
        }
        for (int index = 0; index < 7; index++) {
            assertThat(fabric.endpointFor(index).workerIndex()).isEqualTo(index % 3);
        }
    }

    @Test
    void shouldRefuseEndpointsThatCannotBeMeant() {
        Fabric fabric = network.attach(0);
        Region buffers = fabric.register(0, 64);
        fabric.open(new ManualWorker(0, 0), buffers);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fabric.open(new ManualWorker(0, 0), buffers))
                .withMessageContaining("worker 0 of node 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fabric.open(new ManualWorker(1, 0), buffers))
                .withMessageContaining("node 1");
        try (Arena arena = Arena.ofConfined()) {
            Region foreign = new Region(0, 0, Memory.allocate(arena, 64));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> fabric.open(new ManualWorker(0, 1), foreign))
                    .withMessageContaining("registered");
        }
    }

    @Test
    void shouldRefuseSetUpAfterTheStop() {
        Fabric fabric = network.attach(0);
        Region buffers = fabric.register(0, 64);
        fabric.close();
        assertThatIllegalStateException().isThrownBy(() -> fabric.register(1, 64));
        assertThatIllegalStateException().isThrownBy(() -> fabric.open(new ManualWorker(0, 0), buffers));
        assertThatIllegalStateException().isThrownBy(fabric::start);
    }
}
