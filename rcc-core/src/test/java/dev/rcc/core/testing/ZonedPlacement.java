package dev.rcc.core.testing;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.Zones;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Zones of neighbouring nodes, and each copy of a partition in a zone of its own. Unlike a ring's, a partition's primary is not on the node of
 * its number.
 */
public final class ZonedPlacement implements Placement {
    private final Zones names;
    private final int zones;
    private final int nodesPerZone;
    private final int replicas;
    private final List<List<Integer>> holders;

    /** No node is missing. */
    public ZonedPlacement(int zones, int nodesPerZone, int replicas) {
        this(zones, nodesPerZone, replicas, homes(zones, nodesPerZone, replicas));
    }

    private ZonedPlacement(int zones, int nodesPerZone, int replicas, List<List<Integer>> holders) {
        this.names = Zones.of(IntStream.range(0, zones * nodesPerZone)
                .mapToObj(node -> "z" + node / nodesPerZone)
                .toList());
        this.zones = zones;
        this.nodesPerZone = nodesPerZone;
        this.replicas = replicas;
        this.holders = holders;
    }

    private static List<List<Integer>> homes(int zones, int nodesPerZone, int replicas) {
        if (replicas > zones) {
            throw new IllegalArgumentException(replicas + " replicas in " + zones + " zones");
        }
        int nodes = zones * nodesPerZone;
        List<List<Integer>> homes = new ArrayList<>();
        for (int partition = 0; partition < nodes; partition++) {
            int primary = (partition + 1) % nodes;
            homes.add(IntStream.range(0, replicas)
                    .mapToObj(i -> (primary + i * nodesPerZone) % nodes)
                    .toList());
        }
        return homes;
    }

    @Override
    public int nodes() {
        return zones * nodesPerZone;
    }

    @Override
    public int replicas() {
        return replicas;
    }

    @Override
    public Zones zones() {
        return names;
    }

    @Override
    public int primary(int partition) {
        return holders.get(partition).getFirst();
    }

    @Override
    public int backups(int partition) {
        return holders.get(partition).size() - 1;
    }

    @Override
    public int backup(int partition, int ordinal) {
        return holders.get(partition).get(1 + ordinal);
    }

    /** A zone is lost whole: with the coordinator, all backups in its zone die. */
    @Override
    public boolean logsAtPrimary(int node, int partition) {
        for (int i = 0; i < backups(partition); i++) {
            if (zone(backup(partition, i)) == zone(node)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Placement home() {
        return new ZonedPlacement(zones, nodesPerZone, replicas);
    }

    @Override
    public Placement withHolders(List<List<Integer>> newHolders) {
        return new ZonedPlacement(zones, nodesPerZone, replicas, newHolders);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ZonedPlacement that
                && zones == that.zones
                && nodesPerZone == that.nodesPerZone
                && replicas == that.replicas
                && holders.equals(that.holders);
    }

    @Override
    public int hashCode() {
        return holders.hashCode();
    }

    @Override
    public String toString() {
        return zones + " zones, " + holders;
    }
}
