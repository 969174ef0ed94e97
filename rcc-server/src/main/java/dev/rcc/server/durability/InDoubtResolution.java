package dev.rcc.server.durability;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * What became of the transactions that were on their way when all nodes stopped: one that some backup has logged has committed, unless
 * some backup has it that it was aborted. A coordinator reports no commit before all backups have logged it (rcc, 4.1), and no
 * abort before every backup of an entry has it that it was aborted. So one that has not been logged everywhere, and is nowhere
 * aborted, has locked what it writes until the end, and its outcome was not reported: it may commit, where each backup is given the
 * entry, and it has to if a backup has lost it.
 */
public final class InDoubtResolution {
    private InDoubtResolution() {}

    /** Knows what the nodes have logged as aborted. */
    @FunctionalInterface
    public interface Aborted {
        /** As {@link RecoveredNode#hasAborted}, of a node. */
        boolean by(int node, long id);
    }

    /**
     * The ids of those that have committed.
     *
     * @param undecided of all nodes
     * @param nodes all of them
     */
    public static Set<Long> committed(
            Collection<RecoveredNode.Undecided> undecided, Collection<Integer> nodes, Aborted aborted) {
        Set<Long> committed = new HashSet<>();
        for (RecoveredNode.Undecided txn : undecided) {
            if (nodes.stream().noneMatch(node -> aborted.by(node, txn.id()))) {
                committed.add(txn.id());
            }
        }
        return committed;
    }
}
