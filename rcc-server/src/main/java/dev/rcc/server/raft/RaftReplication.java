package dev.rcc.server.raft;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.NodeReplication;
import dev.rcc.core.replication.ReplicationProvider;
import dev.rcc.core.store.Memstore;
import dev.rcc.transport.control.Control;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Replication by a Raft group for each partition. */
public final class RaftReplication implements ReplicationProvider {
    private final RaftOptions options;
    private final int workers;
    private final Supplier<Control> control;

    /**
     * Replication by Raft.
     *
     * @param workers the number of workers of each node
     * @param control supplies the control of the node that is attached; the control has not been started then
     */
    public RaftReplication(RaftOptions options, int workers, Supplier<Control> control) {
        this.options = options;
        this.workers = workers;
        this.control = control;
    }

    @Override
    public NodeReplication attach(Fabric fabric, Memstore memstore, int nodeWorkers, int coroutines) {
        return new RaftNode(fabric, memstore, workers, control.get(), options);
    }

    /** {@inheritDoc} Every majority contains a copy that has it. */
    @Override
    public boolean survives(List<Integer> holders, BitSet lost) {
        long left = holders.stream().filter(holder -> !lost.get(holder)).count();
        return 2 * left > holders.size();
    }

    /** {@inheritDoc} See {@link RaftInDoubt}. */
    @Override
    public Set<Long> committed(Map<Integer, LogReport> reports, Placement before) {
        return RaftInDoubt.committed(reports.values(), before.nodes() * workers);
    }

    /** {@inheritDoc} See {@link RaftInDoubt}. */
    @Override
    public Set<Long> committedOnDisks(Map<Integer, LogReport> reports, Placement placement) {
        return RaftInDoubt.committedOnDisks(reports.values(), placement, placement.nodes() * workers);
    }
}
