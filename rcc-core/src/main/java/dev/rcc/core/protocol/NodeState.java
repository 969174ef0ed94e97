package dev.rcc.core.protocol;

import dev.rcc.core.cluster.Placement;

/**
 * What a protocol keeps on a node, for all of its workers; what it keeps on one is in {@link WorkerState}. Every incarnation of a node has its own.
 * The workers share it: whatever it holds, it guards itself.
 */
@FunctionalInterface
public interface NodeState {
    /** Of a protocol that keeps nothing. */
    NodeState NONE = (configEpoch, placement) -> {};

    /**
     * The node is in another configuration: before its first transaction, and each time after nodes were lost or let in, while no
     * transaction runs on it. May be called for one again. Called on some thread, by one at a time; must not wait.
     *
     * @param configEpoch the configuration's number, greater than those before; 0 is that of a cluster as it was set up
     * @param placement where the partitions live from now on
     */
    void configured(long configEpoch, Placement placement);
}
