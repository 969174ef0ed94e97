package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.nowait.Nowait;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosedClusterTest {

    // Goal: a program that opens and closes embedded clusters again and again does not run out of memory. A
    // coroutine that has not ended when its worker is closed never runs again, so nothing must keep a
    // reference to it, the JDK's list of virtual threads included.
    @Test
    void shouldBeFreeToBeCollected() {
        WeakReference<EmbeddedCluster> closed = openAndClose();
        for (int i = 0; i < 50 && closed.get() != null; i++) {
            System.gc();
        }
        assertThat(closed.get())
                .as("the closed cluster, if it is still reachable")
                .isNull();
    }

    private static WeakReference<EmbeddedCluster> openAndClose() {
        ClusterConfig config = ClusterConfig.of(new Nowait(), List.of(TableSchema.ofLongKeys(0, "any", 8, 10)))
                .withMemory(64 * 1024, 32 * 1024, 1024);
        try (EmbeddedCluster cluster = new EmbeddedCluster(config)) {
            cluster.start();
            cluster.spawnEverywhere((runner, self) -> self.sleep(Long.MAX_VALUE));
            cluster.measurements(); // by now the coroutines sleep
            return new WeakReference<>(cluster);
        }
    }
}
