package dev.rcc.core.replication;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.store.Memstore;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A way of replicating: how a node takes part in it, and the rule by which it is decided what a lost coordinator has committed. */
public interface ReplicationProvider {
    /**
     * A node's part; the same on all nodes. Registers what peers are to reach, and nothing runs yet.
     *
     * @param memstore the node's copies of the data
     * @param workers workers of each node
     * @param coroutines coroutines of each worker that may log at the same time
     */
    NodeReplication attach(Fabric fabric, Memstore memstore, int workers, int coroutines);

    /**
     * Whether all that was acknowledged of a partition is there when some of its copies are lost. If not, the cluster waits for them.
     *
     * @param holders the nodes that hold copies in the last configuration
     */
    default boolean survives(List<Integer> holders, BitSet lost) {
        return true;
    }

    /**
     * The ids of the transactions of lost coordinators that have committed, among all of which some node does not know the end. What was
     * found before, of fewer lost nodes, is found again.
     *
     * @param reports of all nodes that are left, by node
     * @param before the placement under which the lost coordinators have run
     */
    Set<Long> committed(Map<Integer, LogReport> reports, Placement before);

    /**
     * The ids of the transactions that have committed, among those of which some disk does not say the end, when all nodes have stopped and
     * start again from their disks. What is found once is found again: a node that stops on the way begins anew.
     *
     * @param reports what each node's disk has of them, by node
     * @param placement of the configuration that the data is of
     */
    Set<Long> committedOnDisks(Map<Integer, LogReport> reports, Placement placement);
}
