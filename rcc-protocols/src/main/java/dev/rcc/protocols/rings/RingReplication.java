package dev.rcc.protocols.rings;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.NodeReplication;
import dev.rcc.core.replication.ReplicationProvider;
import dev.rcc.core.store.Memstore;
import java.util.Map;
import java.util.Set;

/** Replication by log rings of one size. */
public final class RingReplication implements ReplicationProvider {
    private final int ringBytes;
    private final boolean primariesLog;

    /**
     * Replication by rings of {@code ringBytes} bytes.
     *
     * @param ringBytes a power of two from {@link LogRingLayout#MIN_RING_BYTES} to {@link LogRingLayout#MAX_RING_BYTES}
     * @param durable whether the rings' entries go to disks: then only backups keep them, and no primary does
     */
    public RingReplication(int ringBytes, boolean durable) {
        this.ringBytes = ringBytes;
        this.primariesLog = !durable;
    }

    @Override
    public NodeReplication attach(Fabric fabric, Memstore memstore, int workers, int coroutines) {
        int nodes = memstore.catalog().placement().nodes();
        return new RingNode(fabric, memstore, new LogRingLayout(nodes, workers, ringBytes), coroutines);
    }

    /** {@inheritDoc} See {@link InDoubt}. */
    @Override
    public Set<Long> committed(Map<Integer, LogReport> reports, Placement before) {
        return InDoubt.committed(reports, before, primariesLog);
    }

    /** {@inheritDoc} See {@link InDoubt}. */
    @Override
    public Set<Long> committedOnDisks(Map<Integer, LogReport> reports, Placement placement) {
        return InDoubt.committedOnDisks(reports.values());
    }
}
