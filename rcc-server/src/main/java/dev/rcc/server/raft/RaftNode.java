package dev.rcc.server.raft;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.log.ReplicaWriter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.replication.DurableLog;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedEntries;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.replication.NodeReplication;
import dev.rcc.core.replication.ReplicationDisk;
import dev.rcc.core.replication.WorkerReplication;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.time.Timestamp;
import dev.rcc.transport.control.Control;
import java.lang.foreign.Arena;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * A node's part in replication by Raft: its membership in groups, and one registered word for each worker of each node, in which that worker
 * announces the bound of its transactions' reads.
 *
 * <p>A position in a log is the number of its entries that were logged, or were replayed, at a backup.
 */
final class RaftNode implements NodeReplication {
    /** No logged entry is larger. */
    static final int ENTRY_BYTES_MAX = 128 * 1024;

    private final int node;
    private final int nodes;
    private final int workers;
    private final Memstore memstore;
    private final Memory bounds;
    private final AtomicLongArray replayed;
    private final RaftGroups groups;
    private final Optional<ReplicationDisk> disk;
    private final LongAdder loggedBytes = new LongAdder();

    RaftNode(Fabric fabric, Memstore memstore, int workers, Control control, RaftOptions options) {
        this.node = fabric.node();
        this.nodes = memstore.catalog().placement().nodes();
        this.workers = workers;
        this.memstore = memstore;
        this.bounds = fabric.register(Catalog.LOG_REGION, (long) logs() * Memory.WORD_BYTES)
                .memory();
        this.replayed = new AtomicLongArray(logs());
        this.groups = new RaftGroups(control, options, this::newState);
        this.disk = options.durable() ? Optional.of(new Disk()) : Optional.empty();
    }

    /** The groups' logs, which are on disk. */
    private final class Disk implements ReplicationDisk {
        @Override
        public long bytes() {
            return loggedBytes.sum();
        }

        @Override
        public void snapshotMade() {
            groups.members().forEach(member -> member.state().snapshotMade());
        }

        @Override
        public void agreed(long configEpoch) {
            groups.agreed(configEpoch);
        }

        @Override
        public void recover(long configEpoch, Recovered recovered) {
            groups.recover(configEpoch, memstore.catalog().placement().partitions(), logs(), recovered);
        }
    }

    private PartitionState newState(int partition) {
        return new PartitionState(
                partition,
                logs(),
                workers,
                new ReplicaWriter(memstore, node).only(partition),
                memstore.catalog().placement().isBackup(node, partition),
                Memory.allocate(Arena.ofAuto(), ENTRY_BYTES_MAX),
                replayed::getAndIncrement,
                loggedBytes::add);
    }

    RaftGroups groups() {
        return groups;
    }

    int workers() {
        return workers;
    }

    int node() {
        return node;
    }

    static long boundOffset(int log) {
        return (long) log * Memory.WORD_BYTES;
    }

    void observeReadBound(int log, long bound) {
        bounds.putRelease(boundOffset(log), bound);
    }

    /** A node begins to log anew. */
    void restart(int log) {
        replayed.set(log, 0);
    }

    @Override
    public int logs() {
        return nodes * workers;
    }

    @Override
    public int log(int writer, int worker) {
        return writer * workers + worker;
    }

    @Override
    public long registeredBytes() {
        return bounds.size();
    }

    @Override
    public int logBytes() {
        return ENTRY_BYTES_MAX;
    }

    @Override
    public WorkerReplication worker(int index, DurableLog durable) {
        return new RaftWorker(this, index);
    }

    @Override
    public Optional<ReplicationDisk> disk() {
        return disk;
    }

    @Override
    public void fence(int peer) {
        groups.fence(peer);
    }

    @Override
    public void admit(int peer) {
        groups.admit(peer);
    }

    @Override
    public void configured(long configEpoch) {
        groups.configured(configEpoch, memstore.catalog().placement());
    }

    @Override
    public void whenFailed(Consumer<Throwable> listener) {
        groups.whenFailed(listener);
    }

    @Override
    public void close() {
        groups.close();
    }

    @Override
    public long replayed(int log) {
        return replayed.get(log);
    }

    /** {@inheritDoc} Logs have no bound here: a log that is behind does not hold other logs up. */
    @Override
    public double fill() {
        return 0;
    }

    @Override
    public long readBound() {
        long bound = Timestamp.NONE;
        for (int log = 0; log < logs(); log++) {
            bound = Timestamp.max(bound, bounds.getAcquire(boundOffset(log)));
        }
        return bound;
    }

    /** {@inheritDoc} No log has a position on disk: groups' logs have their own. */
    @Override
    public long durable(int log) {
        return 0;
    }

    @Override
    public void durable(int log, long end) {
        throw new UnsupportedOperationException("the groups' logs are the durable ones");
    }

    @Override
    public void durabilityFailed() {
        groups.close();
    }

    /** {@inheritDoc} A majority of copies is left, so a backup is left, from which primaries take the data that they lack. */
    @Override
    public void complete(LogReport report, Set<Long> committed) {
        // nothing to be done
    }

    @Override
    public LoggedEntries loggedEntries(IntFunction<NodeReplication> all) {
        throw new UnsupportedOperationException("groups run in real time");
    }

    @Override
    public boolean isLeft(LoggedTransaction txn) {
        throw new UnsupportedOperationException("groups run in real time");
    }
}
