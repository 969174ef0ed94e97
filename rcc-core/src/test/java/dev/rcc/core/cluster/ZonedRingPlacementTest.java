package dev.rcc.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link RingPlacement} with several zones. */
class ZonedRingPlacementTest {
    private static final long SEED = Long.getLong("rcc.seed", 42);

    private static Zones zones(String names) {
        return Zones.of(List.of(names.split(",", -1)));
    }

    @Test
    void shouldPutBackupsOnTheNodesOfTheSameRankInTheNextZones() {
        Placement placement = new RingPlacement(zones("a,a,b,b,c,c"), 3);
        assertThat(placement.holders())
                .isEqualTo(List.of(
                        List.of(0, 2, 4),
                        List.of(1, 3, 5),
                        List.of(2, 4, 0),
                        List.of(3, 5, 1),
                        List.of(4, 0, 2),
                        List.of(5, 1, 3)));
        assertThat(new RingPlacement(zones("a,b,c,a,b,c"), 2).holders())
                .isEqualTo(List.of(
                        List.of(0, 1), List.of(1, 2), List.of(2, 0), List.of(3, 4), List.of(4, 5), List.of(5, 3)));
    }

    @Test
    void shouldWrapAroundToTheFirstNodesOfASmallerZone() {
        assertThat(new RingPlacement(zones("a,a,a,b"), 2).holders())
                .isEqualTo(List.of(List.of(0, 3), List.of(1, 3), List.of(2, 3), List.of(3, 0)));
    }

    // RedT, section 3, Discussion: the copies are split into groups, each with at most one copy of a
    // partition in a zone.
    @Test
    void shouldMakeGroupsOfMoreReplicasThanZones() {
        assertThat(new RingPlacement(zones("a,a,b,b"), 4).holders())
                .isEqualTo(List.of(List.of(0, 2, 1, 3), List.of(1, 3, 0, 2), List.of(2, 0, 3, 1), List.of(3, 1, 2, 0)));
        assertThat(new RingPlacement(zones("a,a,b,b"), 3).holders().getFirst()).isEqualTo(List.of(0, 2, 1));
    }

    @Test
    void shouldBeTheRingOfNodesInOneZone() {
        assertThat(new RingPlacement(zones("a,a,a,a,a"), 3).holders()).isEqualTo(new RingPlacement(5, 3).holders());
    }

    @Test
    void shouldRefuseMoreReplicasThanTheZonesHaveRoomFor() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RingPlacement(zones("a,a,b"), 3))
                .withMessage("replicas must be 1 to 2 (the most that the zones a,a,b can hold), got 3");
        assertThatIllegalArgumentException().isThrownBy(() -> new RingPlacement(zones("a,a,b"), 0));
    }

    // Goal: through any sequence of losses and returns, no two copies share a zone while there are as many
    // zones, and copies are where home places them. While any zone that has a copy is whole, a present node
    // serves the partition.
    @ParameterizedTest
    @ValueSource(strings = {"a,a,b,b,c,c", "a,b,c", "a,a,a,b,c,c", "a,b,a,b,c", "a,a,b,b,c,c,d"})
    void shouldKeepCopiesInDifferentZonesThroughLossAndReturn(String names) {
        Zones zones = zones(names);
        SplittableRandom random = new SplittableRandom(SEED + names.hashCode());
        for (int replicas = 1; replicas <= zones.count(); replicas++) {
            Placement home = new RingPlacement(zones, replicas);
            Placement placement = home;
            BitSet present = new BitSet();
            present.set(0, zones.nodes());
            for (int step = 0; step < 200; step++) {
                int zone = random.nextInt(zones.count());
                boolean returns = random.nextBoolean();
                for (int node : random.nextBoolean() ? zones.nodes(zone) : List.of(random.nextInt(zones.nodes()))) {
                    if (returns && !present.get(node) && mayReturn(placement, node)) {
                        placement = placement.with(node, present);
                        present.set(node);
                    } else if (!returns && present.cardinality() > 1) {
                        placement = placement.without(node);
                        present.clear(node);
                    }
                }
                check(placement, home, present);
            }
        }
    }

    /** As the cluster's leader decides: a node that had the last copy of a partition cannot begin anew. */
    private static boolean mayReturn(Placement placement, int node) {
        return IntStream.range(0, placement.partitions()).noneMatch(partition -> placement.primary(partition) == node);
    }

    private static void check(Placement placement, Placement home, BitSet present) {
        for (int partition = 0; partition < placement.partitions(); partition++) {
            List<Integer> holders = placement.holders().get(partition);
            Set<Integer> inZones = new HashSet<>();
            holders.forEach(holder -> inZones.add(placement.zone(holder)));
            assertThat(inZones).as("zones of the copies, seed %s", SEED).hasSameSizeAs(holders);
            assertThat(home.holders().get(partition)).containsSubsequence(holders);
            if (present.get(holders.getFirst())) {
                assertThat(holders).allMatch(present::get);
            } else {
                assertThat(holders).as("the last copy").hasSize(1);
            }
        }
    }

    // Goal: if as many zones are lost at once as may be lost, every log entry of a lost coordinator is on
    // some node that is left. This holds whether single nodes were missing before or not.
    // Method: for each coordinator and partition, the nodes that log.
    @ParameterizedTest
    @ValueSource(strings = {"a,a,b,b,c,c", "a,b,c", "a,a,b,c,c,c"})
    void shouldLogWhereAnyLossOfZonesLeavesALog(String names) {
        Zones zones = zones(names);
        for (int replicas = 2; replicas <= Math.min(zones.replicasMax(), zones.count() + 1); replicas++) {
            Placement home = new RingPlacement(zones, replicas);
            for (int lost = 0; lost < 1 << zones.count(); lost++) {
                if (Integer.bitCount(lost) < Math.min(replicas, zones.count())) {
                    assertLogged(home, lost);
                    for (int gone = 0; gone < zones.nodes(); gone++) {
                        if ((lost >> zones.zone(gone) & 1) != 0) {
                            assertLogged(home.without(gone), lost);
                        }
                    }
                }
            }
        }
    }

    private static void assertLogged(Placement placement, int lostZones) {
        for (int partition = 0; partition < placement.partitions(); partition++) {
            for (int coordinator = 0; coordinator < placement.nodes(); coordinator++) {
                if ((lostZones >> placement.zone(coordinator) & 1) == 0) {
                    continue; // the coordinator is alive and can resolve its transactions
                }
                List<Integer> all = placement.logsAtPrimary(coordinator, partition)
                        ? placement.holders().get(partition)
                        : backups(placement, partition);
                assertThat(all)
                        .as(
                                "%s, zones lost %s, coordinator %s, partition %s",
                                placement, lostZones, coordinator, partition)
                        .anyMatch(node -> (lostZones >> placement.zone(node) & 1) == 0);
            }
        }
    }

    private static List<Integer> backups(Placement placement, int partition) {
        return placement.holders().get(partition).stream().skip(1).toList();
    }

    @Test
    void shouldNotLogAtThePrimaryForCoordinatorsOfZonesWithoutABackup() {
        Placement placement = new RingPlacement(zones("a,a,b,b,c,c"), 2);
        assertThat(placement.holders().getFirst()).isEqualTo(List.of(0, 2));
        assertThat(placement.logsAtPrimary(2, 0)).isTrue();
        assertThat(placement.logsAtPrimary(3, 0))
                .as("it dies with node 2's zone")
                .isTrue();
        assertThat(placement.logsAtPrimary(0, 0)).isFalse();
        assertThat(placement.logsAtPrimary(4, 0)).isFalse();
    }
}
