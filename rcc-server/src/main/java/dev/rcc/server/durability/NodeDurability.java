package dev.rcc.server.durability;

import dev.rcc.core.log.DurableLog;
import dev.rcc.core.log.LogRingLayout;
import dev.rcc.core.log.LogRings;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.worker.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's disk. The course is: {@link #read} what is there; when everybody has recovered, or the node is new and was loaded,
 * {@link #begin}; {@link #watch} the workers' rings, once they run; {@link #close}, after the workers and before the log region goes.
 *
 * <p>As a {@link DurableLog} it is called on the workers; otherwise by one thread.
 */
public final class NodeDurability implements DurableLog, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDurability.class);

    /** A batch has room for the largest entry of a ring and more. */
    private static final int BATCH_BYTES_MIN = 1 << 20;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final DurabilityOptions options;
    private final WalIdentity identity;
    private final Path directory;
    private final Memory log;
    private final LogRingLayout layout;
    private final Memstore memstore;
    private final DurabilityCounters counters = new DurabilityCounters();
    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private long bound;
    private Map<Integer, long[]> replayed = Map.of();
    private WalWriter writer;
    private Thread snapshots;
    private volatile boolean closing;

    /**
     * For a node.
     *
     * @param log the node's log region
     * @param layout the layout of the region
     * @param memstore the node's copies
     */
    public NodeDurability(
            DurabilityOptions options, WalIdentity identity, Memory log, LogRingLayout layout, Memstore memstore) {
        this.options = options;
        this.identity = identity;
        this.directory = options.directoryOf(identity.node());
        this.log = log;
        this.layout = layout;
        this.memstore = memstore;
    }

    /**
     * The birth of the cluster whose data is in a directory, in nanoseconds since the Unix epoch.
     *
     * @param otherwise what to return if there is no data
     */
    public static long birthWallNanos(DurabilityOptions options, int node, long otherwise) {
        Path directory = options.directoryOf(node);
        try {
            WalIdentity found = Files.isDirectory(directory) ? WalReader.identityOf(options.disk(), directory) : null;
            return found == null ? otherwise : found.birthWallNanos();
        } catch (IOException e) {
            throw new UncheckedIOException(directory + " cannot be read", e);
        }
    }

    /** What it has cost so far. */
    public DurabilityCounters counters() {
        return counters;
    }

    /**
     * Reads what is on the disk, into the copies and otherwise.
     *
     * @throws WalDamaged when it is not what was written
     */
    public RecoveredNode read() {
        try {
            Files.createDirectories(directory);
            return RecoveredNode.read(options.disk(), directory, identity, memstore);
        } catch (IOException e) {
            throw new UncheckedIOException(directory + " cannot be read", e);
        }
    }

    /**
     * Begins a new life of the node: makes what is in the copies durable, and opens the log.
     *
     * @param recovered what was read, and has been replayed; it is closed
     * @param newBound no timestamp of before was larger, on any node
     */
    public void begin(RecoveredNode recovered, long newBound) {
        try (recovered) {
            WalReader.End end = recovered.end();
            long segment = end == null ? 1 : WalReader.seal(options.disk(), directory, end);
            bound = Timestamp.max(newBound, 1); // not 0: that there is a snapshot says that the node has run
            replayed = recovered.replayed();
            writer = new WalWriter(
                    options.disk(),
                    directory,
                    identity,
                    segment,
                    layout.rings(),
                    Math.max(BATCH_BYTES_MIN, layout.ringBytes()),
                    options.segmentBytes(),
                    new Publication(),
                    counters);
            snapshot(segment, Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(directory + " cannot be written", e);
        }
    }

    /** Tells the rings' writers, by the headers of their rings. */
    private final class Publication implements WalWriter.Listener {
        @Override
        public void durable(int ring, long end) {
            log.putRelease(layout.durableOffset(ring), end);
        }

        @Override
        public void failed(Throwable cause) {
            for (int ring = 0; ring < layout.rings(); ring++) {
                log.putRelease(layout.durableOffset(ring), LogRingLayout.FAILED);
            }
            failure.complete(null);
        }
    }

    /** Adds somebody who is told, on any thread, when the disk has failed; at once, if it has. */
    public void whenFailed(Runnable listener) {
        CompletableFuture<Void> _ = failure.thenRunAsync(listener);
    }

    // ---- what the backups' workers tell ----------------------------------------------------------------------------

    @Override
    public long entry(int ring, long position, Memory memory, long offset, int bytes) {
        return writer.appendEntry(ring, position, position + bytes, memory, offset, bytes);
    }

    @Override
    public long aborted(int ring, long position) {
        return writer.append(WalLayout.ABORTED, ring, position, null);
    }

    @Override
    public long decided(int ring, long position) {
        return writer.append(WalLayout.DECIDED, ring, position, null);
    }

    @Override
    public long verdict(int ring, List<Long> positions) {
        return writer.append(
                WalLayout.VERDICT,
                ring,
                0,
                positions.stream().mapToLong(Long::longValue).toArray());
    }

    @Override
    public boolean isDurable(long batch) {
        return writer.durableBatch() >= batch;
    }

    @Override
    public boolean isFailed() {
        return writer.isFailed();
    }

    // ---- snapshots -------------------------------------------------------------------------------------------------

    /**
     * Makes snapshots from now on, in the background, as the log grows.
     *
     * @param workers the node's workers, which run
     * @param rings by worker
     */
    public void watch(List<Worker> workers, List<LogRings> rings) {
        snapshots = Thread.ofPlatform()
                .daemon()
                .name("rcc-snapshot-" + identity.node())
                .start(() -> {
                    long written = counters.walBytes();
                    while (!closing && !writer.isFailed()) {
                        if (counters.walBytes() - written < options.walBytes()) {
                            LockSupport.parkNanos(this, options.walBytes() < 1 << 20 ? LOOK_NANOS : IDLE_NANOS);
                            continue;
                        }
                        written = counters.walBytes();
                        try {
                            takeSnapshot(workers, rings);
                        } catch (IOException | RuntimeException e) {
                            if (!closing) {
                                LOG.error(
                                        "node {}: no snapshot was made, the log in {} stays",
                                        identity.node(),
                                        directory,
                                        e);
                            }
                        }
                    }
                });
    }

    private void takeSnapshot(List<Worker> workers, List<LogRings> rings) throws IOException {
        long segment = writer.rotate().join();
        long[] ends = new long[layout.rings()];
        for (int ring = 0; ring < ends.length; ring++) {
            ends[ring] = log.getAcquire(layout.durableOffset(ring)); // covers all that is in the segments before
        }
        Map<Integer, long[]> ids = new TreeMap<>();
        for (int i = 0; i < workers.size(); i++) {
            Map<Integer, long[]> own = replayedBefore(workers.get(i), rings.get(i), ends);
            if (own == null) {
                return; // the node is being stopped
            }
            ids.putAll(own);
        }
        snapshot(segment, ids);
    }

    /** Waits until a worker has replayed what is in the segments before. */
    private Map<Integer, long[]> replayedBefore(Worker worker, LogRings rings, long[] ends) {
        while (!closing && !writer.isFailed()) {
            CompletableFuture<Map<Integer, long[]>> answer = new CompletableFuture<>();
            worker.execute(() -> {
                Map<Integer, long[]> ids = rings.replayedBefore(ends);
                answer.complete(ids == null ? Map.of(-1, ends) : ids);
            });
            while (!closing && !answer.isDone()) {
                LockSupport.parkNanos(this, LOOK_NANOS);
            }
            if (answer.isDone() && !answer.join().containsKey(-1)) {
                return answer.join();
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        return null;
    }

    private void snapshot(long segment, Map<Integer, long[]> ids) throws IOException {
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
                options.disk(), directory, identity, segment, memstore, new Snapshot.Knowledge(newBound, all));
        long nanos = System.nanoTime() - begin;
        counters.snapshot(bytes, nanos);
        LOG.info("node {}: snapshot {}, {} bytes in {} ms", identity.node(), segment, bytes, nanos / 1_000_000);
    }

    /** Makes durable what the workers have told, and lets go of the files. */
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
                    interrupted = true; // it reads memory that is about to go
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (writer != null) {
            writer.close();
        }
    }
}
