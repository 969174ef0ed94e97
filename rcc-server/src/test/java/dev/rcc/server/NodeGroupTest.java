package dev.rcc.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.node.NodeGroup;
import dev.rcc.transport.local.LocalNetwork;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeGroupTest {
    /** The network of one node, which is stopped when its workers are about to be asked. */
    private static final class StoppingRuntime extends ThreadRuntime {
        private final LocalNetwork network = new LocalNetwork(1);
        private Runnable beforeQuestion = () -> {};

        @Override
        public Fabric attach(int node) {
            return network.attach(node);
        }

        @Override
        public void connect() {}

        @Override
        public void leave(int node) {}

        @Override
        public boolean runsOnlyInAwait() {
            beforeQuestion.run();
            return false;
        }

        @Override
        public void close() {
            network.close();
        }
    }

    // Goal: a question that races with the end of a node, such as one for its metrics, does not wait for
    // workers that have ended.
    @Test
    void shouldNotWaitForTheWorkersOfANodeThatWasStoppedMeanwhile() {
        StoppingRuntime runtime = new StoppingRuntime();
        ClusterConfig config = ClusterConfig.of(
                        Protocols.byName("nowait"), List.of(TableSchema.ofLongKeys(0, "counters", 8, 10)))
                .withShape(1, 2, 1, 1)
                .withMemory(1 << 16, 1 << 16, 1 << 12);
        try (NodeGroup group = new NodeGroup(config, runtime, List.of(0), runtime.birthWallNanos())) {
            group.loader().buildIndexes();
            group.join();
            group.start();
            assertThat(group.onEachWorker(worker -> worker.worker().index())).containsExactly(0, 1);
            runtime.beforeQuestion = group::halt;
            assertThat(group.onEachWorker(worker -> worker.worker().index())).isEmpty();
        }
    }
}
