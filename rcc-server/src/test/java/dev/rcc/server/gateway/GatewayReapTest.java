package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gateway looks at its deadlines again and again. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GatewayReapTest {
    private static final String PLACED = "placed";

    /** How often the gateway has asked for the placement: once when it opens, and each time that it looks at its deadlines. */
    private final AtomicInteger looks = new AtomicInteger();

    /** A node that fails to return its placement when the gateway looks at its deadlines for the first time. */
    private GatewayNode failing(GatewayNode real) {
        return (GatewayNode) Proxy.newProxyInstance(
                GatewayNode.class.getClassLoader(), new Class<?>[] {GatewayNode.class}, (_, method, arguments) -> {
                    if (method.getName().equals(PLACED) && looks.incrementAndGet() == 2) {
                        throw new IllegalStateException("failing");
                    }
                    return method.invoke(real, arguments);
                });
    }

    @Test
    void shouldLookAtItsDeadlinesAgainWhenALookHasFailed() {
        ClusterConfig config =
                ClusterConfig.of(Protocols.byName("nowait"), List.of(TableSchema.ofLongKeys(0, "counters", 8, 10)));
        try (EmbeddedCluster cluster = new EmbeddedCluster(config.withMemory(1 << 18, 1 << 18, 1 << 12))) {
            cluster.start();
            GatewayNode node = failing(GatewayNode.of(cluster, 0));
            try (Gateway _ = new Gateway(node, GatewayOptions.DEFAULT, List::of)) {
                assertThat(cluster.await(Duration.ofSeconds(20), () -> looks.get() > 2))
                        .isTrue();
            }
        }
    }
}
