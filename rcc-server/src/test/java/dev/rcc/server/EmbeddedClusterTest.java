package dev.rcc.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.durability.DurabilityOptions;
import dev.rcc.server.durability.FailingDisk;
import dev.rcc.server.recovery.RecoveryWatch;
import dev.rcc.transport.local.LocalNetwork;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster in this JVM that cannot be made leaves nothing behind. */
class EmbeddedClusterTest {
    private static final int NODES = 3;

    /** The nodes that are attached, and whether the network's memory is freed; a node can fail to attach, and so can the clock. */
    private static final class WatchedRuntime extends ThreadRuntime {
        private final LocalNetwork network = new LocalNetwork(NODES);
        private final List<Fabric> attached = new ArrayList<>();
        private final List<Integer> left = new ArrayList<>();
        private int failingNode = NODES;
        private boolean hasNoClock;
        private boolean isClosed;

        @Override
        public Fabric attach(int node) {
            if (node == failingNode) {
                throw new IllegalStateException("node " + node + " cannot be attached");
            }
            Fabric fabric = network.attach(node);
            attached.add(fabric);
            return fabric;
        }

        @Override
        public void connect() {}

        @Override
        public void leave(int node) {
            left.add(node);
        }

        @Override
        public long birthWallNanos() {
            if (hasNoClock) {
                throw new IllegalStateException("there is no clock");
            }
            return super.birthWallNanos();
        }

        @Override
        public void close() {
            isClosed = true;
            network.close();
        }
    }

    @TempDir
    private Path directory;

    private final WatchedRuntime runtime = new WatchedRuntime();
    private final ClusterConfig config = ClusterConfig.of(
                    Protocols.byName("nowait"), List.of(TableSchema.ofLongKeys(0, "counters", 8, 10)))
            .withShape(NODES, 1, 1, 3)
            .withMemory(1 << 16, 1 << 16, 1 << 12);

    private void make(ClusterConfig given) {
        new EmbeddedCluster(given, runtime, RecoveryWatch.NONE).close();
    }

    private void expectNothingLeft(int attached) {
        assertThat(runtime.attached).hasSize(attached);
        assertThat(runtime.left).as("nodes that have left").hasSize(attached);
        assertThat(runtime.isClosed).isTrue();
    }

    @Test
    void shouldCloseTheRuntimeWhenTheTimeOfBirthCannotBeRead() {
        runtime.hasNoClock = true;
        assertThatThrownBy(() -> make(config)).hasMessage("there is no clock");
        expectNothingLeft(0);
    }

    @Test
    void shouldCloseTheRuntimeWhenTheConfigurationIsRefused() {
        ClusterConfig refused =
                config.withDurability(DurabilityOptions.in(directory)).withRecovery(Duration.ofSeconds(1));
        assertThatThrownBy(() -> make(refused)).hasMessageContaining("does not replace dead nodes");
        expectNothingLeft(0);
    }

    @Test
    void shouldCloseTheNodesMadeSoFarWhenOneCannotBeMade() {
        runtime.failingNode = 2;
        assertThatThrownBy(() -> make(config)).hasMessage("node 2 cannot be attached");
        expectNothingLeft(2);
    }

    @Test
    void shouldCloseTheNodesWhenTheDisksCannotBeRead() {
        FailingDisk disk = new FailingDisk();
        disk.failAfter(0, FailingDisk.Fault.NOTHING);
        ClusterConfig durable =
                config.withDurability(DurabilityOptions.in(directory).withDisk(disk));
        assertThatThrownBy(() -> make(durable)).isInstanceOf(UncheckedIOException.class);
        expectNothingLeft(NODES);
    }
}
