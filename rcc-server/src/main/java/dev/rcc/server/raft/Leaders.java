package dev.rcc.server.raft;

import dev.rcc.core.cluster.Placement;

/** The node that a worker takes for the leader of each group: the primary, until that node does not lead. Used on that worker only. */
final class Leaders {
    private final int[] leaders;
    private long configEpoch = -1;

    Leaders(int partitions) {
        this.leaders = new int[partitions];
    }

    /** The node to ask. */
    int leader(int partition, long epoch, Placement placement) {
        if (epoch != configEpoch) {
            configEpoch = epoch;
            for (int i = 0; i < leaders.length; i++) {
                leaders[i] = placement.primary(i);
            }
        }
        return leaders[partition];
    }

    /**
     * The node that was asked does not lead.
     *
     * @param said the leader that this node has named, or -1: then the next copy is asked
     */
    void isNot(int partition, int asked, int said, Placement placement) {
        if (leaders[partition] == asked) {
            leaders[partition] = said >= 0 && said != asked ? said : next(partition, asked, placement);
        }
    }

    private static int next(int partition, int asked, Placement placement) {
        int backups = placement.backups(partition);
        for (int i = 0; i < backups; i++) {
            if (placement.backup(partition, i) == asked) {
                return i + 1 < backups ? placement.backup(partition, i + 1) : placement.primary(partition);
            }
        }
        return backups > 0 ? placement.backup(partition, 0) : asked;
    }
}
