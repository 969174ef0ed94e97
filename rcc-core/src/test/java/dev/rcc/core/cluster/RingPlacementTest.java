package dev.rcc.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.store.KeyHash;
import dev.rcc.core.testing.ZonedPlacement;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RingPlacementTest {
    @Test
    void shouldGiveEachPartitionAsManyDifferentNodesAsReplicasInEveryShape() {
        for (int nodes : new int[] {1, 2, 3, 4, 5, 7, 16, 255, 256}) {
            for (int replicas = 1; replicas <= Math.min(nodes, 5); replicas++) {
                assertShape(new RingPlacement(nodes, replicas));
            }
            assertShape(new RingPlacement(nodes, nodes));
        }
    }

    private static void assertShape(Placement placement) {
        int[] copies = new int[placement.nodes()];
        for (int partition = 0; partition < placement.partitions(); partition++) {
            Set<Integer> backups = new HashSet<>();
            for (int ordinal = 0; ordinal < placement.backups(partition); ordinal++) {
                backups.add(placement.backup(partition, ordinal));
            }
            assertThat(backups)
                    .hasSize(placement.replicas() - 1)
                    .doesNotContain(placement.primary(partition))
                    .allMatch(node -> node >= 0 && node < placement.nodes());
            for (int node = 0; node < placement.nodes(); node++) {
                boolean primary = placement.primary(partition) == node;
                if (placement.isBackup(node, partition) != backups.contains(node)
                        || placement.holds(node, partition) != (primary || backups.contains(node))) {
                    throw new AssertionError(placement + ", partition " + partition + ", node " + node);
                }
                copies[node] += placement.holds(node, partition) ? 1 : 0;
            }
        }
        assertThat(copies).as("the copies are spread evenly").containsOnly(placement.replicas());
    }

    @Test
    void shouldPutBackupsOnTheNextNodesAroundTheRing() {
        Placement placement = new RingPlacement(4, 3);
        assertThat(placement.backup(2, 0)).isEqualTo(3);
        assertThat(placement.backup(2, 1)).isEqualTo(0);
        assertThat(placement.backup(3, 0)).isEqualTo(0);
        assertThat(placement.backup(3, 1)).isEqualTo(1);
    }

    @Test
    void shouldFindAPartitionAtEachNode() {
        Placement placement = new RingPlacement(4, 3);
        for (int node = 0; node < 4; node++) {
            assertThat(placement.partitionAt(node)).isEqualTo(node);
        }
        assertThat(placement.without(2).partitionAt(3)).isEqualTo(3);
        assertThat(placement.without(2).partitionAt(2)).isEqualTo(2);
        Placement zoned = new ZonedPlacement(2, 2, 2);
        for (int node = 0; node < 4; node++) {
            assertThat(zoned.primary(zoned.partitionAt(node))).isEqualTo(node);
        }
    }

    @Test
    void shouldMakeTheFirstBackupThePrimaryOfALostPrimarysPartition() {
        Placement placement = new RingPlacement(4, 3).without(2);
        assertThat(placement.primary(2)).isEqualTo(3);
        assertThat(placement.backups(2)).isEqualTo(1);
        assertThat(placement.backup(2, 0)).isEqualTo(0);
        assertThat(placement.primary(1)).isEqualTo(1);
        assertThat(placement.backups(1)).isEqualTo(1);
        assertThat(placement.backup(1, 0)).isEqualTo(3);
        assertThat(placement.holds(2, 0)).isFalse();
        assertThat(placement.backups(3)).as("it held no copy of this").isEqualTo(2);
        assertThat(placement.nodes()).isEqualTo(4);
        assertThat(placement.home()).isEqualTo(new RingPlacement(4, 3));
        assertThat(placement.zones()).isEqualTo(Zones.single(4));
        assertThat(placement.zone(3)).isZero();
        assertThat(placement.replicas()).isEqualTo(3);
    }

    @Test
    void shouldNotDependOnTheOrderInWhichNodesAreLost() {
        Placement whole = new RingPlacement(5, 3);
        assertThat(whole.without(1).without(3))
                .isEqualTo(whole.without(3).without(1))
                .isNotEqualTo(whole);
        assertThat(whole.without(1).without(1)).isEqualTo(whole.without(1));
    }

    @Test
    void shouldLeaveAPartitionToTheNodeThatHeldItsLastCopy() {
        Placement placement = new RingPlacement(3, 2).without(0).without(1);
        assertThat(placement.primary(0)).isEqualTo(1);
        assertThat(placement.primary(1)).isEqualTo(2);
        assertThat(placement.primary(2)).isEqualTo(2);
        assertThat(placement.backups(0)).isZero();
    }

    @Test
    void shouldPartitionByTheHighBitsAcrossTheWholeRange() {
        Placement placement = new RingPlacement(256, 1);
        assertThat(placement.partition(0)).isEqualTo(0);
        assertThat(placement.partition(-1)).isEqualTo(255);
        assertThat(placement.partition(1L << 63)).isEqualTo(128);
        assertThat(new RingPlacement(3, 1).partition(-1)).isEqualTo(2);
    }

    // Method: consecutive and strided keys, as loaders make them; five standard deviations either way.
    @Test
    void shouldBalanceKeysOverPartitions() {
        int keys = 100_000;
        for (int nodes : new int[] {2, 3, 5, 8}) {
            for (long stride : new long[] {1, 8, 1L << 32, 1_000_003}) {
                Placement placement = new RingPlacement(nodes, 1);
                int[] counts = new int[nodes];
                for (long i = 0; i < keys; i++) {
                    counts[placement.partition(KeyHash.of(i * stride))]++;
                }
                double expected = (double) keys / nodes;
                double slack = 5 * Math.sqrt(expected);
                for (int count : counts) {
                    assertThat((double) count).isBetween(expected - slack, expected + slack);
                }
            }
        }
    }

    // Goal: a node that comes back holds the partitions that its home gives it, in the order of home, but for
    // partitions that no present node could give it.
    @Test
    void shouldTakeANodeBack() {
        Placement home = new RingPlacement(4, 2);
        Placement without = home.without(1).without(2);
        assertThat(without.holders()).isEqualTo(List.of(List.of(0), List.of(2), List.of(3), List.of(3, 0)));
        BitSet present = BitSet.valueOf(new long[] {0b1001});
        assertThat(without.with(2, present).holders())
                .isEqualTo(List.of(List.of(0), List.of(2), List.of(2, 3), List.of(3, 0)));
        assertThat(without.with(1, present).holders())
                .isEqualTo(List.of(List.of(0, 1), List.of(2), List.of(3), List.of(3, 0)));
        assertThat(home.without(0).with(0, BitSet.valueOf(new long[] {0b1110}))).isEqualTo(home);
        assertThat(home.withHolders(without.holders())).isEqualTo(without);
    }

    @Test
    void shouldRefuseImpossibleShapesWithValueAndRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RingPlacement(0, 1))
                .withMessage("nodes must be 1 to 256, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RingPlacement(257, 1))
                .withMessage("nodes must be 1 to 256, got 257");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RingPlacement(3, 4))
                .withMessage("replicas must be 1 to the number of nodes, 3, got 4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RingPlacement(3, 0))
                .withMessage("replicas must be 1 to the number of nodes, 3, got 0");
    }
}
