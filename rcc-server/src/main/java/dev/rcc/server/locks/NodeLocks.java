package dev.rcc.server.locks;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.locks.LockSpace;
import dev.rcc.protocols.locks.dslr.DslrLayout;
import dev.rcc.protocols.locks.dslr.DslrTerms;
import dev.rcc.server.config.LockNamespace;
import dev.rcc.server.config.LockSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A node's part in the service of named locks: the words of the locks that are at home here, by name, and the locks that each worker holds and
 * waits for. Made before the workers start; {@link #configured} may be called on any thread.
 */
public final class NodeLocks {
    private static final long POLL_NANOS_MIN = 20_000;
    private static final long POLL_NANOS_MAX = 2_000_000;
    /** How often the next waiter polls during a lease. */
    private static final int POLLS_PER_LEASE = 1_000;

    private final LockSettings settings;
    private final int nodes;
    private final int workersOfAll;
    private final Memory words;
    private final LockDirectory directory;
    private final List<WorkerLocks> workers = new ArrayList<>();
    private final List<Worker> loops = new ArrayList<>();

    /**
     * The environment of the locks on a worker.
     *
     * @param buffers the node's buffers region
     * @param mayServe whether the other nodes cannot have gone on without the node
     */
    record Site(
            Worker worker,
            Endpoint endpoint,
            Memory buffers,
            LockSettings settings,
            int nodes,
            int serviceCoroutine,
            BooleanSupplier mayServe) {}

    /**
     * Registers the words of a node's locks.
     *
     * @param settings not empty
     * @param workers number of workers of each node
     * @throws IllegalArgumentException when the cluster has too many workers for the locks; the message has the numbers
     */
    public NodeLocks(LockSettings settings, int nodes, int workers, Fabric fabric) {
        this.settings = settings;
        this.nodes = nodes;
        this.workersOfAll = nodes * workers;
        settings.namespaces().forEach(namespace -> check(namespace, nodes, workers));
        this.words = fabric.register(LockSpace.REGION, LockDirectory.regionBytes(settings.namespaces()))
                .memory();
        this.directory = new LockDirectory(fabric.node(), settings.namespaces());
    }

    /**
     * Checks that the words of a namespace's locks are long enough for the cluster.
     *
     * @throws IllegalArgumentException when they are not; the message has the numbers
     */
    public static void check(LockNamespace namespace, int nodes, int workers) {
        try {
            DslrLayout.of(true, 0).checkRequesters((long) nodes * workers, namespace.slotsMax());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "locks of " + namespace.name() + ": " + nodes + " nodes of " + workers
                            + " workers, each of which counts as one requester: " + e.getMessage(),
                    e);
        }
    }

    /** The terms of a namespace's locks. */
    static DslrTerms terms(LockNamespace namespace) {
        long lease = TimeUnit.MILLISECONDS.toNanos(namespace.leaseMillis());
        long poll = Math.clamp(lease / POLLS_PER_LEASE, POLL_NANOS_MIN, POLL_NANOS_MAX);
        return DslrTerms.DEFAULT
                .withLease(lease)
                .withSlots(namespace.slotsMax())
                .withUpdates(true)
                .withPolling(poll)
                .withBackoff(poll, Math.max(poll, lease / 4));
    }

    /** Bytes of the buffers region that a node's workers need for locks. */
    public static long bufferBytes(LockSettings settings, int nodes, int workers) {
        return settings.isEmpty()
                ? 0
                : workers
                        * BufferSlice.alignToLine(
                                WorkerLocks.bufferBytes(settings.namespaces().size(), nodes));
    }

    /**
     * Serves the locks on a worker, and lets its clients ask for locks.
     *
     * @param buffers the node's buffers region
     * @param first the offset in it of the bytes that {@link #bufferBytes} counts
     * @param mayServe whether the other nodes cannot have gone on without the node; called on the worker
     */
    public WorkerLocks serve(
            Worker worker,
            Endpoint endpoint,
            Memory buffers,
            long first,
            int serviceCoroutine,
            BooleanSupplier mayServe) {
        long bytes = BufferSlice.alignToLine(
                WorkerLocks.bufferBytes(settings.namespaces().size(), nodes));
        WorkerLocks served = new WorkerLocks(
                new Site(worker, endpoint, buffers, settings, nodes, serviceCoroutine, mayServe),
                directory,
                words,
                workersOfAll,
                first + worker.index() * bytes);
        workers.add(served);
        loops.add(worker);
        return served;
    }

    /** The node enters a configuration. */
    public void configured(long epoch, Placement placement) {
        for (int i = 0; i < workers.size(); i++) {
            WorkerLocks each = workers.get(i);
            Worker loop = loops.get(i);
            boolean isFirst = i == 0;
            loop.execute(() -> {
                if (isFirst) {
                    directory.configured(epoch, placement, loop.nanoTime());
                }
                each.configured(epoch, placement);
            });
        }
    }

    /** Bytes of the locks' words. */
    public long bytes() {
        return words.size();
    }

    /** How many names of a namespace are known here. For any thread. */
    public int names(int namespace) {
        return directory.names(namespace);
    }

    /** The namespaces. */
    public List<LockNamespace> namespaces() {
        return settings.namespaces();
    }
}
