package dev.rcc.core.cluster;

import dev.rcc.core.memory.RemoteAddress;
import java.util.Arrays;
import java.util.List;

/**
 * Partitions around a ring of nodes: the home of a partition has its primary on the node of its number, and its backups on the nodes after
 * it. All nodes are in one zone.
 */
public final class RingPlacement implements Placement {
    private final int nodes;
    private final int replicas;
    /** By partition: the nodes that hold a copy, the primary first. */
    private final int[][] holders;

    /**
     * The placement of a cluster of which no node is missing.
     *
     * @param nodes number of nodes, 1 to 256
     * @param replicas copies of each partition, the primary included, 1 to {@code nodes}
     */
    public RingPlacement(int nodes, int replicas) {
        if (nodes < 1 || nodes > RemoteAddress.MAX_NODE + 1) {
            throw new IllegalArgumentException("nodes must be 1 to " + (RemoteAddress.MAX_NODE + 1) + ", got " + nodes);
        }
        if (replicas < 1 || replicas > nodes) {
            throw new IllegalArgumentException(
                    "replicas must be 1 to the number of nodes, " + nodes + ", got " + replicas);
        }
        this.nodes = nodes;
        this.replicas = replicas;
        this.holders = new int[nodes][replicas];
        for (int partition = 0; partition < nodes; partition++) {
            for (int i = 0; i < replicas; i++) {
                holders[partition][i] = (partition + i) % nodes;
            }
        }
    }

    private RingPlacement(int nodes, int replicas, int[][] holders) {
        this.nodes = nodes;
        this.replicas = replicas;
        this.holders = holders;
    }

    @Override
    public int nodes() {
        return nodes;
    }

    @Override
    public int replicas() {
        return replicas;
    }

    @Override
    public int zones() {
        return 1;
    }

    @Override
    public int zone(int node) {
        return 0;
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

    @Override
    public RingPlacement home() {
        return new RingPlacement(nodes, replicas);
    }

    @Override
    public RingPlacement withHolders(List<List<Integer>> newHolders) {
        int[][] each = newHolders.stream()
                .map(those -> those.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
        return new RingPlacement(nodes, replicas, each);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RingPlacement that
                && nodes == that.nodes
                && replicas == that.replicas
                && Arrays.deepEquals(holders, that.holders);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * nodes + replicas) + Arrays.deepHashCode(holders);
    }

    /** Text for logs: the holders of each partition, the primary first. */
    @Override
    public String toString() {
        return Arrays.deepToString(holders);
    }
}
