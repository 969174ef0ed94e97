package dev.rcc.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.ZonedPlacement;
import dev.rcc.protocols.nowait.Nowait;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterConfigTest {
    private static final ClusterConfig CONFIG =
            ClusterConfig.of(new Nowait(), List.of(TableSchema.ofLongKeys(0, "numbers", 8, 10)));

    @Test
    void shouldHaveAsManyNodesAndReplicasAsItsPlacement() {
        Placement home = new ZonedPlacement(3, 2, 2);
        ClusterConfig config = CONFIG.withShape(4, 1, 1, 3).withHome(home).withSeed(7);
        assertThat(config.home()).isEqualTo(home);
        assertThat(config.nodes()).isEqualTo(6);
        assertThat(config.replicas()).isEqualTo(2);
    }

    // Goal: a disk whose partitions lie elsewhere is refused, and the disk of an equal ring is not.
    @Test
    void shouldHaveAFingerprintOfWherePartitionsLive() {
        long ring = CONFIG.withShape(6, 1, 1, 2).dataFingerprint();
        assertThat(CONFIG.withHome(new RingPlacement(6, 2)).dataFingerprint()).isEqualTo(ring);
        assertThat(CONFIG.withHome(new ZonedPlacement(3, 2, 2)).dataFingerprint())
                .isNotEqualTo(ring);
        assertThat(CONFIG.withHome(new ZonedPlacement(2, 3, 2)).dataFingerprint())
                .isNotEqualTo(CONFIG.withHome(new ZonedPlacement(3, 2, 2)).dataFingerprint());
    }
}
