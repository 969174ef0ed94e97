package dev.rcc.bench.locks.cluster;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockManager;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockSpace;
import dev.rcc.transport.sim.SimNetwork;
import dev.rcc.transport.sim.SimWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Nodes on a simulated network that have a {@link LockSpace}, workers, and coroutines that request its locks. Used by the thread that drives the
 * simulation.
 */
public final class LockCluster implements AutoCloseable {
    /** Enough for a manager with as many locks as a round of a benchmark has. */
    private static final int BUFFER_BYTES = 1 << 18;

    private static final long CONFIGURATION = 1;

    private final SimNetwork network;
    private final LockSpace space;
    private final Shape shape;
    private final List<Node> nodes = new ArrayList<>();

    /**
     * The size of a cluster.
     *
     * @param nodes number of nodes
     * @param workers number of workers of each node
     * @param coroutines number of coroutines of each worker that request locks
     */
    public record Shape(int nodes, int workers, int coroutines) {
        /** Number of coroutines that request locks. */
        public int requesters() {
            return nodes * workers * coroutines;
        }
    }

    /** The work of a coroutine. */
    @FunctionalInterface
    public interface Requester {
        /**
         * Runs to its end.
         *
         * @param number the coroutine's number in the cluster, from 0
         * @param managers makes its lock managers
         */
        void run(int number, Coroutine coroutine, Managers managers);
    }

    /** Makes the lock managers of a coroutine. Used on that coroutine. */
    public static final class Managers {
        private final LockScheme.Locks locks;
        private final Coroutine coroutine;
        private final Supplier<BufferSlice> slices;
        private BufferSlice slice;

        private Managers(LockScheme.Locks locks, Coroutine coroutine, Supplier<BufferSlice> slices) {
            this.locks = locks;
            this.coroutine = coroutine;
            this.slices = slices;
            this.slice = slices.get();
        }

        /** Makes another lock manager. Earlier ones may stay in use, or be abandoned with their locks, as if their requester had died. */
        public LockManager another() {
            return locks.manager(coroutine, slice);
        }

        /** Gives the memory of all earlier managers to later ones; the earlier ones must not be used any more. */
        public void forgetAll() {
            slice = slices.get();
        }
    }

    private static final class Node {
        private final List<SimWorker> workers = new ArrayList<>();
        private final List<LockCounters> counters = new ArrayList<>();
        private Memory locks;
        private boolean isDead;
    }

    /**
     * Lays out the memory of all nodes and attaches them to the network; nothing runs yet.
     *
     * @param primitive how the words of locks are reached
     * @throws IllegalArgumentException when the scheme does not support so many coroutines
     */
    public LockCluster(
            SimNetwork network,
            LockScheme scheme,
            Primitive primitive,
            LockSpace space,
            Shape shape,
            Requester requester) {
        this.network = network;
        this.space = space;
        this.shape = shape;
        for (int node = 0; node < shape.nodes(); node++) {
            nodes.add(newNode(node, scheme, primitive, requester));
        }
    }

    private Node newNode(int number, LockScheme scheme, Primitive primitive, Requester requester) {
        Node node = new Node();
        Fabric fabric = network.attach(number);
        long slices = (long) shape.workers() * (shape.coroutines() + 1);
        Region buffers = fabric.register(Catalog.BUFFERS_REGION, slices * BUFFER_BYTES);
        node.locks = fabric.register(space.region(), space.regionBytes()).memory();
        List<LockSite> sites = new ArrayList<>();
        for (int index = 0; index < shape.workers(); index++) {
            SimWorker worker = network.newWorker(number, index);
            Endpoint endpoint = fabric.open(worker, buffers);
            node.workers.add(worker);
            LockCounters counters = new LockCounters();
            node.counters.add(counters);
            int service = index * (shape.coroutines() + 1) + shape.coroutines();
            sites.add(new LockSite(
                    worker,
                    endpoint,
                    region -> node.locks,
                    shape.nodes(),
                    shape.requesters(),
                    primitive,
                    service,
                    slice(buffers, service),
                    () -> CONFIGURATION,
                    counters));
        }
        List<LockScheme.Locks> served = scheme.serveNode(sites);
        for (int index = 0; index < shape.workers(); index++) {
            for (int i = 0; i < shape.coroutines(); i++) {
                int id = index * (shape.coroutines() + 1) + i;
                int requesterNumber = (number * shape.workers() + index) * shape.coroutines() + i;
                LockScheme.Locks locks = served.get(index);
                node.workers
                        .get(index)
                        .spawn(
                                id,
                                coroutine -> requester.run(
                                        requesterNumber,
                                        coroutine,
                                        new Managers(locks, coroutine, () -> slice(buffers, id))));
            }
        }
        fabric.start();
        return node;
    }

    private static BufferSlice slice(Region buffers, int number) {
        return new BufferSlice(buffers.memory(), (long) number * BUFFER_BYTES, BUFFER_BYTES);
    }

    /** Starts the workers. */
    public void start() {
        nodes.forEach(node -> node.workers.forEach(SimWorker::start));
    }

    /** The locks of the cluster. */
    public LockSpace space() {
        return space;
    }

    /** Kills a node with its locks and its coroutines, including those that hold locks on other nodes. */
    public void kill(int node) {
        nodes.get(node).isDead = true;
        nodes.get(node).workers.forEach(SimWorker::close);
        network.stop(node);
    }

    /** Whether a node lives. */
    public boolean isAlive(int node) {
        return !nodes.get(node).isDead;
    }

    /** The node of a requester. */
    public int nodeOf(int requester) {
        return requester / (shape.workers() * shape.coroutines());
    }

    /** The first word of a lock, as it is now. */
    public long word(long address) {
        return nodes.get(RemoteAddress.node(address)).locks.getLong(RemoteAddress.offset(address));
    }

    /** Virtual nanoseconds since the cluster was created, as a coroutine sees its own time. */
    public long nanos(Coroutine coroutine) {
        return network.virtualNanos(
                coroutine.worker().node(), coroutine.worker().nanoTime());
    }

    /** The sum of all managers' counters. */
    public LockCounters counters() {
        LockCounters sum = new LockCounters();
        nodes.forEach(node -> node.counters.forEach(sum::add));
        return sum;
    }

    @Override
    public void close() {
        network.close();
    }
}
