package dev.rcc.transport.shm;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.Regions;
import dev.rcc.transport.WorkerCounters;
import dev.rcc.transport.control.Control;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One incarnation of a node on a network of shared memory. Its regions are files that the peers map; they receive the paths over the
 * {@link Control}, which its creator starts and closes.
 *
 * <p>A peer that the control has lost is unreachable at once, for batches too, though its memory is still mapped: {@link #remains}
 * lets recovery read it. Such a peer may still complete the operations that it had begun, as nothing can revoke its access to the
 * memory while it lives; so {@link #fence} kills its process. For that, all nodes must run as one user and see each other's
 * processes.
 *
 * <p>The files of a killed process are removed by the next incarnation of its node, in this class's constructor, or by
 * {@link #removeDead}. Their memory is free once no peer has it mapped any more: see {@link #forgetRemains}.
 */
public final class ShmFabric implements Fabric {
    private static final Logger LOG = LoggerFactory.getLogger(ShmFabric.class);

    private final int node;
    private final ShmOptions options;
    private final long incarnation;
    private final ShmFiles files;
    private final Arena arena = Arena.ofShared();
    private final Memory ownNodeFile;
    private final ShmDoorbell doorbell;
    private final ShmPeers peers;
    private final List<ShmHello.RegionFile> regionFiles = new ArrayList<>();
    private final AtomicLong cutOffs = new AtomicLong();
    private Memory[] regions = {};
    private ShmEndpoint[] endpoints = {};
    private ShmWaker waker;
    private boolean started;
    private volatile boolean closed;

    /**
     * Attaches a node, and removes the files that its earlier incarnations have left.
     *
     * @throws UnsupportedOperationException when this is not Linux on x86-64 or aarch64
     * @throws IllegalStateException when a file cannot be created, for example because the file system is full
     */
    public ShmFabric(Control control, ShmOptions options) {
        this.node = control.node();
        this.incarnation = control.incarnation();
        this.options = options;
        this.files = new ShmFiles(options, node, incarnation, ShmNodeFileLayout.BYTES);
        try {
            this.ownNodeFile = Memory.of(ShmFiles.map(files.nodeFile(), ShmNodeFileLayout.BYTES, arena));
            ShmNodeFileLayout.initialise(ownNodeFile, ProcessHandle.current().pid());
            this.doorbell = new ShmDoorbell(ownNodeFile);
            this.peers = new ShmPeers(this, control);
        } catch (RuntimeException e) {
            files.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return "shm";
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public long incarnation() {
        return incarnation;
    }

    @Override
    public Map<FabricCounter, Long> counters() {
        Map<FabricCounter, Long> sum =
                WorkerCounters.sum(Arrays.stream(endpoints).map(ShmEndpoint::counters));
        sum.put(FabricCounter.REJECTED_CONNECTIONS, cutOffs());
        sum.put(FabricCounter.LOST_CONNECTIONS, peers.lost());
        return sum;
    }

    @Override
    public Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException when the file system has no room for the region
     */
    @Override
    public synchronized Region register(int regionId, long bytes) {
        checkSettingUp();
        Regions.checkNew(node, regionId, regions);
        if (bytes <= 0 || bytes - 1 > RemoteAddress.MAX_OFFSET) {
            throw new IllegalArgumentException(
                    "a region must have 1 to " + (RemoteAddress.MAX_OFFSET + 1) + " bytes, got " + bytes);
        }
        Path path = files.createRegion(regionId, bytes);
        Region region = new Region(node, regionId, Memory.of(ShmFiles.map(path, bytes, arena)));
        regions = Regions.with(regions, region);
        regionFiles.add(new ShmHello.RegionFile(regionId, bytes, path));
        return region;
    }

    @Override
    public synchronized Endpoint open(Worker worker, Region buffers) {
        checkSettingUp();
        Regions.checkNode(node, worker, buffers);
        Regions.checkRegistered(regions, buffers);
        if (worker.index() < 0 || worker.index() >= ShmNodeFileLayout.MAX_WORKERS) {
            throw new IllegalArgumentException(
                    "worker must be 0 to " + (ShmNodeFileLayout.MAX_WORKERS - 1) + ", got " + worker.index());
        }
        Regions.checkNoEndpoint(
                worker, Arrays.stream(endpoints).mapToInt(each -> each.worker().index()));
        int maxPayloadBytes = ShmRingLayout.maxPayloadBytes(options.ringBytes());
        ShmEndpoint endpoint = new ShmEndpoint(this, worker, buffers.memory(), maxPayloadBytes);
        endpoints = Arrays.copyOf(endpoints, endpoints.length + 1);
        endpoints[endpoints.length - 1] = endpoint;
        worker.addPoller(endpoint);
        return endpoint;
    }

    @Override
    public synchronized void start() {
        checkSettingUp();
        if (endpoints.length == 0) {
            throw new IllegalStateException("a node needs an endpoint before it starts");
        }
        Arrays.sort(
                endpoints, Comparator.comparingInt(endpoint -> endpoint.worker().index()));
        Worker[] workers = new Worker[endpoints.length];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = endpoints[i].worker();
            if (workers[i].index() != i) {
                throw new IllegalStateException(
                        "workers must be numbered from 0 without gaps: worker " + i + " has no endpoint");
            }
        }
        started = true;
        waker = new ShmWaker(node, doorbell, workers);
        ShmHello hello = new ShmHello(incarnation, workers.length, files.nodeFile(), regionFiles);
        peers.start(hello, new ShmMapping(node, incarnation, regions, doorbell, arena));
    }

    @Override
    public boolean isReachable(int peer) {
        return connection(peer) != null;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Kills the process of every incarnation of the peer that was let in. The process id is in the incarnation's node file, which that process
     * has locked. Waits until the lock is gone: the operating system releases it when the process has ended. This node has the file open since before
     * the incarnation could map its memory, so it does not take a process for ended whose file something else has removed. An incarnation that was
     * never let in has not mapped this node's memory and is not killed: it may wait to be admitted, or be a node of another cluster.
     *
     * @throws IllegalStateException when this process cannot find or kill such a process, or is such a process itself
     */
    @Override
    public void fence(int peer) {
        List<Integer> nodeFiles = peers.fence(peer);
        try {
            nodeFiles.forEach(nodeFile -> ShmKiller.kill(node, peer, Posix.path(nodeFile)));
        } finally {
            nodeFiles.forEach(Posix::close);
        }
        peers.fenced(peer);
    }

    @Override
    public void admit(int peer, long incarnation) {
        peers.admit(peer, incarnation);
    }

    /**
     * The memory of a peer that is gone, as its last incarnation that was connected here left it. Recovery reads it, then closes it.
     *
     * @return empty if the peer was never connected, or was forgotten
     * @throws IllegalStateException when the peer is connected
     */
    public Optional<ShmRemains> remains(int peer) {
        return Optional.ofNullable(peers.remains(peer)).map(ShmRemains::new);
    }

    /**
     * Releases the memory of a peer that is gone. Otherwise it stays mapped until the peer's next incarnation connects. A host with
     * little free memory must forget it earlier, since the next incarnation reserves its own memory before it connects.
     */
    public void forgetRemains(int peer) {
        peers.forgetRemains(peer);
    }

    /** The number of times that a peer was cut off because it wrote invalid data into shared memory. */
    public long cutOffs() {
        return cutOffs.get();
    }

    /**
     * Removes the files that killed processes of a cluster have left in its directory; the files of live processes stay.
     *
     * @return the number of files removed
     */
    public static int removeDead(ShmOptions options) {
        ShmFiles.checkPlatform();
        return ShmFiles.removeDead(options);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Close the node's workers first. This process cannot access the registered memory afterwards; the files are unlinked.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        peers.leave();
        if (waker != null) {
            waker.close();
        }
        files.close();
        peers.free();
        if (arena.scope().isAlive()) { // if the node had started, freeing its own mapping has closed the arena
            arena.close();
        }
    }

    // For the other classes of this package.

    /** The connection to a peer, or null when there is none. */
    ShmConnection connection(int peer) {
        return peers.connection(peer);
    }

    /** Ends the connection to a peer that has written invalid data. Called by workers. */
    void cutOff(ShmConnection connection, CorruptRing reason) {
        if (!connection.isDown()) {
            cutOffs.incrementAndGet();
            LOG.error("event=peer_cut_off node={} peer={}: {}", node, connection.peer(), reason.getMessage());
            peers.cutOff(connection);
        }
    }

    /** Number of workers. */
    int workers() {
        return endpoints.length;
    }

    void forEachEndpoint(Consumer<ShmEndpoint> action) {
        for (ShmEndpoint endpoint : endpoints) {
            action.accept(endpoint);
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** The doorbell that wakes this node's workers. */
    ShmDoorbell doorbell() {
        return doorbell;
    }

    ShmFiles files() {
        return files;
    }

    int ringBytes() {
        return options.ringBytes();
    }

    /** Allocates memory of this process alone, which stays as long as the fabric. */
    Memory allocate(int bytes) {
        return Memory.allocate(arena, bytes);
    }

    private void checkSettingUp() {
        if (closed) {
            throw new IllegalStateException("node " + node + " has left the network: attach anew");
        }
        if (started) {
            throw new IllegalStateException(
                    "node " + node + " has started: its regions and endpoints are known to peers");
        }
    }
}
