package dev.rcc.core.cluster;

import dev.rcc.core.memory.RemoteAddress;
import java.util.Arrays;
import java.util.List;

/**
 * Partitions around a ring of nodes or, where there are several zones, around a ring of zones: the home of a partition has its primary on the node
 * with the partition's number. In one zone, the backups are on the nodes after the primary. Otherwise each backup is in the next zone, on the node of
 * the same rank there (modulo the nodes of that zone). So no two copies share a zone while there are as many zones as replicas. With more replicas,
 * the copies go around the ring of zones again, one rank on: they form groups, each with at most one copy of a partition in a zone (<i>RedT</i>,
 * section 3, Discussion).
 */
public final class RingPlacement implements Placement {
    private final Zones zones;
    private final int replicas;
    /** By partition, while no node is missing: the nodes that hold a copy, the primary first. */
    private final int[][] home;
    /** By partition: the nodes that hold a copy, the primary first. */
    private final int[][] holders;

    /**
     * The placement of a cluster in one zone while no node is missing.
     *
     * @param nodes number of nodes, 1 to 256
     * @param replicas copies of each partition, the primary included, 1 to {@code nodes}
     */
    public RingPlacement(int nodes, int replicas) {
        this(Zones.single(checked(nodes)), replicas);
    }

    /**
     * The placement of a cluster while no node is missing.
     *
     * @param zones its nodes, 1 to 256, and where they are
     * @param replicas copies of each partition, the primary included, 1 to {@link Zones#replicasMax}
     */
    public RingPlacement(Zones zones, int replicas) {
        int nodes = checked(zones.nodes());
        if (zones.count() == 1 && (replicas < 1 || replicas > nodes)) {
            throw new IllegalArgumentException(
                    "replicas must be 1 to the number of nodes, " + nodes + ", got " + replicas);
        }
        if (replicas < 1 || replicas > zones.replicasMax()) {
            throw new IllegalArgumentException("replicas must be 1 to " + zones.replicasMax()
                    + " (the most that the zones " + zones + " can hold), got " + replicas);
        }
        this.zones = zones;
        this.replicas = replicas;
        this.home = new int[nodes][replicas];
        this.holders = home;
        for (int partition = 0; partition < nodes; partition++) {
            for (int i = 0; i < replicas; i++) {
                home[partition][i] = holder(zones, partition, i);
            }
        }
    }

    private static int checked(int nodes) {
        if (nodes < 1 || nodes > RemoteAddress.MAX_NODE + 1) {
            throw new IllegalArgumentException("nodes must be 1 to " + (RemoteAddress.MAX_NODE + 1) + ", got " + nodes);
        }
        return nodes;
    }

    private static int holder(Zones zones, int partition, int copy) {
        List<Integer> zone = zones.nodes((zones.zone(partition) + copy) % zones.count());
        return zone.get((zones.rank(partition) + copy / zones.count()) % zone.size());
    }

    private RingPlacement(RingPlacement whole, int[][] holders) {
        this.zones = whole.zones;
        this.replicas = whole.replicas;
        this.home = whole.home;
        this.holders = holders;
    }

    @Override
    public int nodes() {
        return zones.nodes();
    }

    @Override
    public int replicas() {
        return replicas;
    }

    @Override
    public Zones zones() {
        return zones;
    }

    @Override
    public int primary(int partition) {
        return holders[partition][0];
    }

    @Override
    public int backups(int partition) {
        return holders[partition].length - 1;
    }

    @Override
    public int backup(int partition, int ordinal) {
        assert ordinal >= 0 && ordinal < backups(partition) : ordinal;
        return holders[partition][1 + ordinal];
    }

    /**
     * {@inheritDoc}
     *
     * <p>Where there are several zones, one may be lost as a whole: the coordinator then dies together with all copies in its zone. So the primary
     * logs, too, for each coordinator whose zone is the home of another copy, whether that copy is present or missing: with it, the copies of all
     * other zones may be lost.
     */
    @Override
    public boolean logsAtPrimary(int node, int partition) {
        if (zones.count() == 1) {
            return isBackup(node, partition);
        }
        int primary = primary(partition);
        for (int holder : home[partition]) {
            if (holder != primary && zones.zone(holder) == zones.zone(node)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public RingPlacement home() {
        return new RingPlacement(this, home);
    }

    @Override
    public RingPlacement withHolders(List<List<Integer>> newHolders) {
        int[][] each = newHolders.stream()
                .map(those -> those.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
        return new RingPlacement(this, each);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RingPlacement that
                && zones.equals(that.zones)
                && replicas == that.replicas
                && Arrays.deepEquals(holders, that.holders);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * zones.hashCode() + replicas) + Arrays.deepHashCode(holders);
    }

    /** Text for logs: the holders of each partition, the primary first. */
    @Override
    public String toString() {
        return Arrays.deepToString(holders);
    }
}
