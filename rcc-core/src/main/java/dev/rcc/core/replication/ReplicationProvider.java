package dev.rcc.core.replication;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.store.Memstore;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A way of replicating: how a node takes part in it, and the rule that decides which transactions a lost coordinator has committed. */
public interface ReplicationProvider {
    /**
     * A node's part; the same on all nodes. Registers the memory that peers are to reach; nothing runs yet.
     *
     * @param memstore the node's copies of the data
     * @param workers workers of each node
     * @param coroutines coroutines of each worker that may log at the same time
     */
    NodeReplication attach(Fabric fabric, Memstore memstore, int workers, int coroutines);

    /**
     * Whether all acknowledged writes to a partition are still there when some of its copies are lost. If not, the cluster waits for these copies.
     *
     * @param holders the nodes that hold copies in the last configuration
     */
    default boolean survives(List<Integer> holders, BitSet lost) {
        return true;
    }

    /**
     * The ids of the transactions of lost coordinators that have committed, among all whose outcome some node does not have. A transaction that was
     * found before, with fewer lost nodes, is found again.
     *
     * @param reports of all surviving nodes, by node
     * @param before the placement under which the lost coordinators have run
     */
    Set<Long> committed(Map<Integer, LogReport> reports, Placement before);

    /**
     * The ids of the transactions that have committed, among those whose outcome is missing on some disk, when all nodes have stopped and start again
     * from their disks. A transaction that is found once is found again: a node that stops on the way begins anew.
     *
     * @param reports the transactions on each node's disk, by node
     * @param placement of the configuration that the data belongs to
     */
    Set<Long> committedOnDisks(Map<Integer, LogReport> reports, Placement placement);
}
