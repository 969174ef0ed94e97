package dev.rcc.core.cluster;

import dev.rcc.core.memory.RemoteAddress;

/**
 * The assignment of keys to partitions and of partitions to nodes. There are as many partitions as nodes; partition
 * {@code p} has its primary on node {@code p} and its backups on the nodes after it, around the ring.
 *
 * @param nodes number of nodes, 1 to 256
 * @param replicas copies of each partition, the primary included, 1 to {@code nodes}
 */
public record Placement(int nodes, int replicas) {
    /** Checks the numbers. */
    public Placement {
        if (nodes < 1 || nodes > RemoteAddress.MAX_NODE + 1) {
            throw new IllegalArgumentException("nodes must be 1 to " + (RemoteAddress.MAX_NODE + 1) + ", got " + nodes);
        }
        if (replicas < 1 || replicas > nodes) {
            throw new IllegalArgumentException(
                    "replicas must be 1 to the number of nodes, " + nodes + ", got " + replicas);
        }
    }

    /** Number of partitions. */
    public int partitions() {
        return nodes;
    }

    /** The partition of the key with this hash ({@link dev.rcc.core.store.KeyHash}). */
    public int partition(long keyHash) {
        return (int) Math.unsignedMultiplyHigh(keyHash, partitions());
    }

    /** The node that holds the partition's primary copy. */
    public int primary(int partition) {
        return partition;
    }

    /** Number of backups of each partition. */
    public int backups() {
        return replicas - 1;
    }

    /**
     * The node that holds one of the partition's backups.
     *
     * @param ordinal 0 to {@link #backups()} - 1
     */
    public int backup(int partition, int ordinal) {
        assert ordinal >= 0 && ordinal < backups() : ordinal;
        int node = primary(partition) + 1 + ordinal;
        return node < nodes ? node : node - nodes;
    }

    /** Whether {@code node} holds a backup of {@code partition}. */
    public boolean isBackup(int node, int partition) {
        int distance = node - primary(partition);
        return Math.floorMod(distance, nodes) >= 1 && Math.floorMod(distance, nodes) <= backups();
    }

    /** Whether {@code node} holds a copy of {@code partition}, primary or backup. */
    public boolean holds(int node, int partition) {
        return node == primary(partition) || isBackup(node, partition);
    }
}
