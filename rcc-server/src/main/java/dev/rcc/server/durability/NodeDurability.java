package dev.rcc.server.durability;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.replication.DurableLog;
import dev.rcc.core.replication.NodeReplication;
import dev.rcc.core.replication.ReplicationDisk;
import dev.rcc.core.replication.WorkerReplication;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.worker.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's disk. The course is: {@link #read} its data; when the node has recovered, or is new and was loaded, {@link #begin}; {@link #agree}
 * when all nodes have begun; {@link #watch} the workers, once they run; {@link #close}, after the workers and before the memory that they log in is freed.
 *
 * <p>Where dead nodes are replaced, the data belongs to a configuration. On the way to the next one, the nodes {@link #freeze}. When no
 * transaction runs, each node writes a snapshot of the data that it keeps in the next configuration, a <i>proposal</i> beside the present
 * data ({@link #propose}). The configuration that is agreed on decides which of the two counts, also for a node that is started again;
 * {@link #agree}, {@link #thaw}. A node that comes back takes the same steps, and begins with them. Where dead nodes are
 * not replaced, there is configuration 0 alone. The nodes agree on it anew at each start, once all of them have proposed it.
 *
 * <p>The methods of {@link DurableLog} are called on the workers. All others are called by one thread, except those of the paragraph above,
 * which may be called on any thread.
 */
public final class NodeDurability implements DurableLog, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDurability.class);

    /** A batch has room for the largest entry of a ring and more. */
    private static final int BATCH_BYTES_MIN = 1 << 20;

    private static final long NO_NODE = -1;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final DurabilityOptions options;
    private final WalIdentity identity;
    private final Path directory;
    private final NodeReplication logs;
    /** Replication's disk, where the log is not this object's. */
    private final Optional<ReplicationDisk> logDisk;

    private final Memstore memstore;
    private final DurabilityCounters counters = new DurabilityCounters();
    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private long bound;
    private Map<Integer, long[]> replayed = Map.of();
    /** Held while snapshots are written, renamed or deleted. */
    private final Object files = new Object();

    private Optional<DataConfiguration> proposed = Optional.empty();
    private volatile WalWriter writer;
    /** The configuration that was agreed on last; null until there is one. */
    private volatile DataConfiguration agreed;
    /** The round of the attempt to change to another configuration, if there is one. */
    private volatile long freezing = NO_NODE;

    private volatile boolean hasGivenUp;
    private Thread snapshots;
    /** Nothing that has not begun begins to write any more. */
    private volatile boolean closing;

    /**
     * The disk of a node.
     *
     * @param logs the node's logs
     * @param memstore the node's copies
     */
    public NodeDurability(DurabilityOptions options, WalIdentity identity, NodeReplication logs, Memstore memstore) {
        this.options = options;
        this.identity = identity;
        this.directory = options.directoryOf(identity.node());
        this.logs = logs;
        this.logDisk = logs.disk();
        this.memstore = memstore;
        logs.whenFailed(this::giveUp);
    }

    /**
     * The birth of the cluster whose data is on a node's disk, in nanoseconds since the Unix epoch; empty if there is no data.
     *
     * @throws UncheckedIOException when the directory cannot be read
     */
    public static OptionalLong birthWallNanos(DurabilityOptions options, int node) {
        Path directory = options.directoryOf(node);
        try {
            WalIdentity found = Files.isDirectory(directory) ? WalReader.identityOf(options.disk(), directory) : null;
            return found == null ? OptionalLong.empty() : OptionalLong.of(found.birthWallNanos());
        } catch (IOException e) {
            throw new UncheckedIOException(directory + " cannot be read", e);
        }
    }

    /** The costs so far. */
    public DurabilityCounters counters() {
        return counters;
    }

    /**
     * Reads the disk: the snapshot that the nodes have agreed on into the copies, which are empty, and the logs.
     *
     * @param configuration the configuration that the data must belong to; the catalog is placed by it
     * @throws WalDamaged when the data differs from the bytes that were written, or belongs to another configuration
     */
    public RecoveredNode read(DataConfiguration configuration) {
        try {
            OwnerOnly.directory(options.disk(), directory);
            return RecoveredNode.read(options.disk(), directory, identity, memstore, configuration, logs);
        } catch (IOException e) {
            throw new UncheckedIOException(directory + " cannot be read", e);
        }
    }

    /**
     * Begins a new incarnation of a node with the other nodes: makes the data in the copies durable as a proposal, and opens the log.
     *
     * @param recovered the data that was read, and has been replayed unless the cluster begins anew
     * @param newBound an upper bound of all earlier timestamps, on all nodes
     * @param next the configuration that is to be agreed on
     * @throws IllegalStateException when the node is closed
     */
    public void begin(RecoveredNode recovered, long newBound, DataConfiguration next) {
        synchronized (files) {
            checkOpen();
            try {
                OptionalLong counts = recovered.recoveredProposal();
                if (counts.isPresent()) {
                    confirm(counts.getAsLong()); // or the next proposal would take its place
                }
                WalReader.End end = recovered.end();
                long segment = end == null ? 1 : WalReader.seal(options.disk(), directory, end);
                bound = Timestamp.max(newBound, 1);
                replayed = recovered.replayed();
                openLog(segment);
                propose(segment, next);
                recovered.has(RecoveredNode.Data.PROPOSED);
            } catch (IOException e) {
                throw new UncheckedIOException(directory + " cannot be written", e);
            }
        }
    }

    private void openLog(long segment) throws IOException {
        writer = new WalWriter(
                options.disk(),
                directory,
                identity,
                segment,
                logs.logs(),
                Math.max(BATCH_BYTES_MIN, logs.logBytes()),
                options.segmentBytes(),
                new Publication(),
                counters);
    }

    // ---- configurations --------------------------------------------------------------------------------------------

    /**
     * The nodes begin to change to another configuration: until that is agreed on, there is no snapshot except the proposal. Does not wait.
     *
     * @param round the number of this attempt to change; larger than the numbers of all attempts before
     */
    public void freeze(long round) {
        freezing = round;
    }

    /**
     * Makes durable the data that the node keeps in the next configuration, while no transaction runs and everything has been replayed. The
     * data of the configuration before stays, until the next one is agreed on. A node that has no part in that restarts in another
     * incarnation: the data on its disk is old. A node that cannot write the data gives up.
     *
     * @param round as it was given to {@link #freeze}
     * @param newBound an upper bound of all earlier timestamps
     * @param ids by ring and coroutine: the largest ids that were replayed
     * @throws IllegalStateException when another attempt has taken the place of this one, or this node has not been notified that the
     *     configuration that it proposed before was agreed on, or the node is closed
     * @throws UncheckedIOException when the disk cannot be written
     */
    public void propose(long round, DataConfiguration next, long newBound, Map<Integer, long[]> ids) {
        synchronized (files) {
            checkOpen();
            if (freezing != round) {
                throw new IllegalStateException("node " + identity.node() + ": another round has begun");
            }
            if (proposed.isPresent() && proposed.get().epoch() < next.epoch()) {
                throw new IllegalStateException("node " + identity.node() + " has not been notified that configuration "
                        + proposed.get().epoch() + " was agreed on");
            }
            try {
                bound = Timestamp.max(bound, Timestamp.max(newBound, 1));
                for (long[] ofRing : ids.values()) {
                    for (long id : ofRing) {
                        bound = Timestamp.max(bound, id);
                    }
                }
                replayed = Map.of(); // no entry that is logged from now on is replayed yet
                long segment;
                if (writer == null) {
                    OwnerOnly.directory(options.disk(), directory);
                    List<Long> segments = WalFiles.segments(directory);
                    segment = segments.isEmpty() ? 1 : segments.getLast() + 1;
                    Snapshot.deleteBefore(options.disk(), directory, segment);
                    openLog(segment);
                } else {
                    segment = writer.rotate().join();
                }
                propose(segment, next);
            } catch (IOException e) {
                giveUp(e); // or the nodes would wait for this one, attempt after attempt
                throw new UncheckedIOException(directory + " cannot be written", e);
            }
        }
    }

    /**
     * Writes a proposal. Earlier proposals are deleted before, to make room. While there is no snapshot, they are deleted after it: the nodes may
     * have agreed on one of them.
     */
    private void propose(long segment, DataConfiguration next) throws IOException {
        proposed = Optional.empty();
        if (!Snapshot.numbers(directory).isEmpty()) {
            Snapshot.deleteProposalsBefore(options.disk(), directory, segment);
        }
        snapshot(segment, next, Map.of(), Snapshot.proposal(directory, segment));
        Snapshot.deleteProposalsBefore(options.disk(), directory, segment);
        proposed = Optional.of(next);
    }

    private void checkOpen() {
        if (closing) {
            throw new IllegalStateException("the disk of node " + identity.node() + " is closed");
        }
    }

    /** The nodes have agreed on a proposal: it is a snapshot from now on. */
    private void confirm(long number) throws IOException {
        options.disk().rename(Snapshot.proposal(directory, number), Snapshot.file(directory, number));
        options.disk().syncDirectory(directory);
    }

    /**
     * A configuration that this node is a member of was agreed on: the proposal for it counts now.
     *
     * @throws IllegalStateException when this node has not proposed it, or is closed
     */
    public void agree(DataConfiguration now) {
        synchronized (files) {
            checkOpen();
            try {
                if (!proposed.equals(Optional.of(now))) {
                    throw new IllegalStateException(
                            "node " + identity.node() + " proposed " + proposed + ", but the nodes agreed on " + now);
                }
                long number = Snapshot.proposals(directory).getLast();
                confirm(number);
                Snapshot.deleteBefore(options.disk(), directory, number);
                agreed = now;
                proposed = Optional.empty();
                logDisk.ifPresent(each -> each.agreed(now.epoch()));
            } catch (IOException e) {
                throw new UncheckedIOException(directory + " cannot be written", e);
            }
        }
    }

    /**
     * A configuration that this node is not a member of was agreed on: a proposal for it, or for one before, never counts. The next
     * proposal takes its place on the disk.
     *
     * @param configEpoch the number of the configuration
     */
    public void withdraw(long configEpoch) {
        synchronized (files) {
            if (proposed.isPresent() && proposed.get().epoch() <= configEpoch) {
                proposed = Optional.empty();
            }
        }
    }

    /** The nodes go on in the configuration that was agreed on last. */
    public void thaw() {
        freezing = NO_NODE;
    }

    /** Lets nothing become durable any more: the node cannot serve, and the listeners of {@link #whenFailed} are called. */
    public void giveUp(Throwable cause) {
        if (closing) {
            LOG.debug("node {} is being closed", identity.node(), cause);
        } else {
            LOG.error(
                    "event=disk_failed node={} directory={}: the data cannot be kept",
                    identity.node(),
                    directory,
                    cause);
        }
        hasGivenUp = true;
        failure.complete(null);
    }

    /** Notifies the node's logs. */
    private final class Publication implements WalWriter.Listener {
        @Override
        public void durable(int ring, long end) {
            logs.durable(ring, end);
        }

        @Override
        public void failed(Throwable cause) {
            logs.durabilityFailed();
            failure.complete(null);
        }
    }

    /** Adds a listener that is called, on any thread, when the disk has failed; at once, if it has. */
    public void whenFailed(Runnable listener) {
        CompletableFuture<Void> _ = failure.thenRunAsync(listener);
    }

    // ---- records from the backups' workers ------------------------------------------------------------------------

    @Override
    public long entry(int ring, long position, Memory rings, long offset, int bytes) {
        WalWriter opened = writer;
        return opened == null ? NO_ROOM : opened.appendEntry(ring, position, position + bytes, rings, offset, bytes);
    }

    @Override
    public long aborted(int ring, long position) {
        return append(WalLayout.ABORTED, ring, position);
    }

    @Override
    public long decided(int ring, long position) {
        return append(WalLayout.DECIDED, ring, position);
    }

    private long append(int kind, int ring, long position) {
        WalWriter opened = writer;
        return opened == null ? NO_ROOM : opened.append(kind, ring, position);
    }

    @Override
    public boolean isDurable(long batch) {
        return writer != null && writer.durableBatch() >= batch;
    }

    @Override
    public boolean isFailed() {
        return hasGivenUp || (writer != null && writer.isFailed());
    }

    // ---- snapshots -------------------------------------------------------------------------------------------------

    /**
     * Makes snapshots from now on, in the background, as the log grows.
     *
     * @param workers the node's workers, which run
     * @param replications by worker
     */
    public void watch(List<Worker> workers, List<WorkerReplication> replications) {
        snapshots = Thread.ofPlatform()
                .daemon()
                .name("rcc-snapshot-" + identity.node())
                .start(() -> {
                    long written = loggedBytes();
                    while (!closing && !isFailed()) {
                        if (loggedBytes() - written < options.walBytes() || !mayTakeSnapshot()) {
                            LockSupport.parkNanos(this, options.walBytes() < 1 << 20 ? LOOK_NANOS : IDLE_NANOS);
                            continue;
                        }
                        written = loggedBytes();
                        try {
                            takeSnapshot(workers, replications);
                        } catch (IOException | RuntimeException | Error e) {
                            if (!closing) {
                                counters.snapshotFailed();
                                LOG.error(
                                        "event=snapshot_failed node={} directory={}: the log stays as it is",
                                        identity.node(),
                                        directory,
                                        e);
                            }
                        }
                    }
                });
    }

    private long loggedBytes() {
        return counters.walBytes() + logDisk.map(ReplicationDisk::bytes).orElse(0L);
    }

    /**
     * Whether a snapshot may be made. None is made while the nodes change to another configuration. None is made of the only copy of a
     * partition either, as transactions hold tuples of it, though none of them can commit: the snapshot that has the copy is kept.
     */
    private boolean mayTakeSnapshot() {
        return freezing == NO_NODE && agreed != null && !agreed.hasSole(identity.node());
    }

    private void takeSnapshot(List<Worker> workers, List<WorkerReplication> replications) throws IOException {
        long segment = writer.rotate().join();
        long[] ends = new long[logs.logs()];
        for (int ring = 0; ring < ends.length; ring++) {
            ends[ring] = logs.durable(ring); // covers everything in the segments before
        }
        Map<Integer, long[]> ids = new TreeMap<>();
        for (int i = 0; i < workers.size(); i++) {
            Map<Integer, long[]> own = replayedBefore(workers.get(i), replications.get(i), ends);
            if (own == null) {
                return; // the node is being stopped, or changes to another configuration
            }
            ids.putAll(own);
        }
        synchronized (files) {
            if (mayTakeSnapshot()) {
                snapshot(segment, agreed, ids, Snapshot.file(directory, segment));
                Snapshot.deleteBefore(options.disk(), directory, segment);
                logDisk.ifPresent(ReplicationDisk::snapshotMade);
            }
        }
    }

    /** Waits until a worker has replayed everything in the segments before; null if no snapshot may be made any more. */
    private Map<Integer, long[]> replayedBefore(Worker worker, WorkerReplication replication, long[] ends) {
        while (!closing && !isFailed() && mayTakeSnapshot()) {
            CompletableFuture<Optional<Map<Integer, long[]>>> answer = CompletableFuture.supplyAsync(
                    () -> Optional.ofNullable(replication.replayedBefore(ends)), worker::execute);
            while (!closing && !answer.isDone()) {
                LockSupport.parkNanos(this, LOOK_NANOS);
            }
            if (answer.isDone() && answer.join().isPresent()) {
                return answer.join().get();
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        return null;
    }

    private void snapshot(long segment, DataConfiguration configuration, Map<Integer, long[]> ids, Path target)
            throws IOException {
        long begin = System.nanoTime();
        Map<Integer, long[]> all = new TreeMap<>();
        replayed.forEach((ring, before) -> all.put(ring, before.clone()));
        long newBound = bound;
        for (Map.Entry<Integer, long[]> each : ids.entrySet()) {
            long[] sum = all.computeIfAbsent(each.getKey(), none -> new long[Timestamp.MAX_COROUTINE + 1]);
            for (int coroutine = 0; coroutine < sum.length; coroutine++) {
                sum[coroutine] = Timestamp.max(sum[coroutine], each.getValue()[coroutine]);
            }
        }
        long bytes = Snapshot.write(
                options.disk(),
                directory,
                identity,
                segment,
                memstore,
                configuration,
                new Snapshot.Knowledge(newBound, 0, all),
                target);
        long nanos = System.nanoTime() - begin;
        counters.snapshot(bytes, nanos);
        LOG.info(
                "event=snapshot_made node={} snapshot={} epoch={} bytes={} ms={}",
                identity.node(),
                segment,
                configuration.epoch(),
                bytes,
                nanos / 1_000_000);
    }

    /**
     * Makes durable everything that the workers have logged, and closes the files. Waits for a snapshot or proposal that is being written, which
     * reads memory that is about to be freed. Nothing is written afterwards.
     */
    @Override
    public void close() {
        closing = true;
        if (snapshots != null) {
            LockSupport.unpark(snapshots);
            boolean interrupted = false;
            while (true) {
                try {
                    snapshots.join();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true; // the thread reads memory that is about to be freed
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        synchronized (files) {
            if (writer != null) {
                writer.close();
            }
        }
    }
}
