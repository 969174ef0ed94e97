package dev.rcc.server.durability;

import dev.rcc.core.cluster.Placement;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * What became of the transactions that were on their way when all nodes stopped: one has committed if and only if every backup of what
 * it writes has logged it (rcc, 4.1). A coordinator tells nobody of a commit before that is so, and nobody of an abort before every
 * backup of an entry has it that it was aborted.
 */
public final class Fates {
    private Fates() {}

    /** Knows what the nodes have logged. */
    @FunctionalInterface
    public interface Logged {
        /** As {@link RecoveredNode#hasLogged}, of a node. */
        boolean by(int node, int ring, long id);
    }

    /**
     * The ids of those that have committed.
     *
     * @param undecided of all nodes
     * @param placement under which they ran
     */
    public static Set<Long> committed(
            Collection<RecoveredNode.Undecided> undecided, Placement placement, Logged logged) {
        Set<Long> committed = new HashSet<>();
        for (RecoveredNode.Undecided txn : undecided) {
            BitSet backups = new BitSet();
            for (int partition : txn.partitions()) {
                for (int i = 0; i < placement.backups(partition); i++) {
                    backups.set(placement.backup(partition, i));
                }
            }
            if (backups.stream().allMatch(backup -> logged.by(backup, txn.ring(), txn.id()))) {
                committed.add(txn.id());
            }
        }
        return committed;
    }
}
