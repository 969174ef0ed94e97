package dev.rcc.core.protocol;

import dev.rcc.core.cluster.Placement;

/**
 * A protocol's state on a node, for all of its workers; the state of a single worker is in {@link WorkerState}. Every incarnation of a node has its
 * own. The workers share it: it guards its own fields.
 */
@FunctionalInterface
public interface NodeState {
    /** The state of a protocol that keeps nothing. */
    NodeState NONE = (configEpoch, placement) -> {};

    /**
     * The node is in another configuration. Called before its first transaction, and each time after nodes were lost or let in, while no transaction
     * runs on it; for one configuration perhaps again. Called on any thread, by one at a time; must not wait.
     *
     * @param configEpoch the configuration's number, greater than any before; 0 for a cluster as it was set up
     * @param placement where the partitions live from now on
     */
    void configured(long configEpoch, Placement placement);
}
