package dev.rcc.protocols.rings;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.log.LogEntry;
import dev.rcc.core.log.ReplicaWriter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.replication.DurableLog;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedEntries;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.replication.NodeReplication;
import dev.rcc.core.replication.WorkerReplication;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.time.Timestamp;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/** A node's log rings, which lie in its log region: one for each worker of each node. */
public final class RingNode implements NodeReplication {
    private final int node;
    private final int nodes;
    private final int coroutines;
    private final Memstore memstore;
    private final LogRingLayout layout;
    private final Memory memory;
    private final RingWorker[] workers;

    RingNode(Fabric fabric, Memstore memstore, LogRingLayout layout, int coroutines) {
        this.node = fabric.node();
        this.nodes = memstore.catalog().placement().nodes();
        this.coroutines = coroutines;
        this.memstore = memstore;
        this.layout = layout;
        this.memory = fabric.register(Catalog.LOG_REGION, layout.regionBytes()).memory();
        this.workers = new RingWorker[layout.workers()];
    }

    /** The node's number. */
    int node() {
        return node;
    }

    /** A worker; null until it is created. */
    RingWorker worker(int index) {
        return workers[index];
    }

    /** The log region. */
    Memory memory() {
        return memory;
    }

    /** The layout of the region. */
    LogRingLayout layout() {
        return layout;
    }

    @Override
    public int logs() {
        return layout.rings();
    }

    @Override
    public int log(int writer, int worker) {
        return layout.ring(writer, worker);
    }

    @Override
    public long registeredBytes() {
        return memory.size();
    }

    @Override
    public int logBytes() {
        return layout.ringBytes();
    }

    @Override
    public WorkerReplication worker(int index, DurableLog durable) {
        workers[index] = new RingWorker(
                index,
                new LogTails(layout, nodes, node, index, coroutines, durable != null),
                new LogRings(memory, layout, index, new ReplicaWriter(memstore, node), durable));
        return workers[index];
    }

    @Override
    public long replayed(int log) {
        return memory.getAcquire(layout.headOffset(log));
    }

    @Override
    public double fill() {
        long waiting = 0;
        for (int ring = 0; ring < layout.rings(); ring++) {
            waiting = Math.max(waiting, memory.getAcquire(layout.decidedOffset(ring)) - replayed(ring));
        }
        return (double) waiting / layout.ringBytes();
    }

    @Override
    public long readBound() {
        long bound = Timestamp.NONE;
        for (int ring = 0; ring < layout.rings(); ring++) {
            bound = Timestamp.max(bound, memory.getAcquire(layout.boundOffset(ring)));
        }
        return bound;
    }

    @Override
    public long durable(int log) {
        return memory.getAcquire(layout.durableOffset(log));
    }

    @Override
    public void durable(int log, long end) {
        memory.putRelease(layout.durableOffset(log), end);
    }

    @Override
    public void durabilityFailed() {
        for (int ring = 0; ring < layout.rings(); ring++) {
            memory.putRelease(layout.durableOffset(ring), LogRingLayout.FAILED);
        }
    }

    @Override
    public void complete(LogReport report, Set<Long> committed) {
        List<LoggedTransaction> logged = report.logged().stream()
                .filter(txn -> txn.undecided() && !txn.aborted() && committed.contains(txn.id()))
                .toList();
        workers[0].rings().complete(logged);
    }

    @Override
    public LoggedEntries loggedEntries(IntFunction<NodeReplication> all) {
        return new RingEntries(this, all);
    }

    @Override
    public boolean isLeft(LoggedTransaction txn) {
        for (int at = 0; at <= layout.ringBytes() - LogEntry.BYTES_MIN; at += LogEntry.ALIGNMENT) {
            long entry = layout.entryOffset(txn.log(), at);
            int length = LogEntry.length(memory.getLong(entry + LogEntry.KIND_OFFSET));
            if (LogEntry.id(memory, entry) == txn.id()
                    && length <= layout.ringBytes() - at
                    && LogEntry.isIntact(memory, entry, length)) {
                return true;
            }
        }
        return false;
    }
}
