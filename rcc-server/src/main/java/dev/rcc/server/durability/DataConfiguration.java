package dev.rcc.server.durability;

import dev.rcc.core.cluster.Placement;

/**
 * Of which configuration of a cluster the data on a node's disk is. Snapshots say so; the log that follows on one is of the same.
 *
 * @param epoch the number of the configuration; 0 where dead nodes are not replaced, or the cluster has not formed
 * @param placement where its partitions live
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
