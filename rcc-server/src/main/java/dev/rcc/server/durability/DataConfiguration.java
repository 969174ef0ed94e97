package dev.rcc.server.durability;

import dev.rcc.core.cluster.Placement;

/**
 * The configuration of a cluster that the data on a node's disk belongs to. A snapshot contains it; the log that follows a snapshot belongs
 * to the same one.
 *
 * @param epoch the number of the configuration; 0 where dead nodes are not replaced, or the cluster has not formed
 * @param placement the placement of its partitions
 */
public record DataConfiguration(long epoch, Placement placement) {
    /**
     * Whether a node keeps a partition on its disk: if it is a backup, or has the only copy, which no transaction changes.
     */
    boolean keeps(int node, int partition) {
        return placement.isBackup(node, partition) || isSole(node, partition);
    }

    /** Whether a node has the only copy of some partition. */
    boolean hasSole(int node) {
        boolean any = false;
        for (int partition = 0; partition < placement.partitions(); partition++) {
            any |= isSole(node, partition);
        }
        return any;
    }

    private boolean isSole(int node, int partition) {
        return placement.primary(partition) == node && placement.backups(partition) == 0;
    }
}
