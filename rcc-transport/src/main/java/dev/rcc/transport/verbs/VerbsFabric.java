package dev.rcc.transport.verbs;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.PeerGates;
import dev.rcc.transport.Regions;
import dev.rcc.transport.WorkerCounters;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.verbs.darpc.DarpcRpc;
import dev.rcc.transport.verbs.ibv.Access;
import dev.rcc.transport.verbs.ibv.CompletionChannel;
import dev.rcc.transport.verbs.ibv.CompletionQueue;
import dev.rcc.transport.verbs.ibv.DeviceAttributes;
import dev.rcc.transport.verbs.ibv.Gid;
import dev.rcc.transport.verbs.ibv.MemoryRegion;
import dev.rcc.transport.verbs.ibv.PortAttributes;
import dev.rcc.transport.verbs.ibv.ProtectionDomain;
import dev.rcc.transport.verbs.ibv.VerbsDevice;
import dev.rcc.transport.verbs.ibv.VerbsLibrary;
import dev.rcc.transport.verbs.ibv.VerbsUnavailable;
import dev.rcc.transport.verbs.rpc.RpcSetting;
import dev.rcc.transport.verbs.rpc.RpcTransport;
import dev.rcc.transport.verbs.ud.UdRpc;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A node's attachment to a network of RDMA NICs, InfiniBand or RoCE.
 *
 * <p>Regions are registered with the device for all operations of peers. Each worker has one completion queue, and to each peer
 * one or more reliable connections, each a queue pair here and one there: the peer's worker with the same index also uses it
 * for its own requests. If one node has more workers than the other, the other has queue pairs that only serve. This
 * node also reaches itself through the device, as its atomics are atomic only within the device. {@link Linker} makes
 * connections as peers come, and ends them as peers go.
 *
 * <p>Set-up, {@link #start} and {@link #close} are for one thread. Workers must end before the close, which frees the resources
 * that they use.
 */
public final class VerbsFabric implements Fabric {
    private static final long PAGE_BYTES = 4096;

    private final Control control;
    private final PeerGates gates;
    private final VerbsOptions options;
    private final Arena arena = Arena.ofShared();
    private final VerbsDevice device;
    private final DeviceAttributes attributes;
    private final PortAttributes port;
    private final Gid gid;
    private final Atomicity atomicity;
    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final CompletionQueue passiveCq;
    private final RpcTransport rpc;
    private final WakeUps wakeUps;
    private final Linker linker;
    private final Map<Integer, MemoryRegion> regions = new TreeMap<>();
    private final Map<Integer, VerbsEndpoint> endpoints = new TreeMap<>();
    private final int sendQueueDepth;

    private VerbsEndpoint[] byWorker = {};
    private boolean started;
    private volatile boolean closed;

    /**
     * Attaches a node.
     *
     * @param control the control channel by which the nodes find each other; not started yet, and closed by its owner
     * @throws VerbsUnavailable when the device or the library is missing or lacks a required function
     */
    public VerbsFabric(Control control, VerbsOptions options) {
        this(
                control,
                options,
                options.rpc() == VerbsOptions.Rpc.DARPC
                        ? setting -> new DarpcRpc(setting, options.darpc())
                        : UdRpc::new);
    }

    /** For tests: a fabric that carries calls in another way. */
    VerbsFabric(Control control, VerbsOptions options, Function<RpcSetting, RpcTransport> rpcTransport) {
        this.control = control;
        this.options = options;
        this.gates = new PeerGates(control.node(), control.nodes());
        this.device = VerbsLibrary.load().open(options.device());
        try {
            this.attributes = device.attributes();
            this.port = checkedPort();
            this.gid = device.gid(options.port(), options.gidIndex());
            this.atomicity = atomicity(device, attributes);
            this.sendQueueDepth = sendQueueDepth();
            this.pd = device.allocPd();
            this.channel = device.createChannel();
            this.passiveCq = device.createCq(1, null, 0);
            this.rpc = rpcTransport.apply(new RpcSetting(
                    control.node(),
                    control.incarnation(),
                    control.nodes(),
                    gates,
                    device,
                    options.port(),
                    port,
                    gid,
                    pd,
                    options.rpcTimeoutMillis(),
                    options.trafficClass(),
                    options.serviceLevel(),
                    this::callsBroken));
            this.wakeUps = new WakeUps(control.node(), channel, worker -> byWorker[worker].wakeUp());
            this.linker = new Linker(control, gates);
        } catch (RuntimeException | Error e) {
            device.closeAll();
            throw e;
        }
    }

    /**
     * The accesses against which remote atomics are atomic, on the device that the options choose.
     *
     * @throws VerbsUnavailable when the device or the library is missing, or the device has no atomics
     */
    public static Atomicity atomicity(VerbsOptions options) {
        try (VerbsDevice device = VerbsLibrary.load().open(options.device())) {
            return atomicity(device, device.attributes());
        }
    }

    @Override
    public String name() {
        return "verbs";
    }

    @Override
    public int node() {
        return control.node();
    }

    @Override
    public long incarnation() {
        return control.incarnation();
    }

    @Override
    public Map<FabricCounter, Long> counters() {
        return WorkerCounters.sum(endpoints.values().stream().map(VerbsEndpoint::counters));
    }

    @Override
    public Atomicity atomicity() {
        return atomicity;
    }

    @Override
    public Region register(int regionId, long bytes) {
        checkSettingUp();
        Regions.checkNew(node(), regionId, regions::containsKey);
        Memory memory = Memory.of(arena.allocate(bytes, PAGE_BYTES));
        regions.put(regionId, pd.register(memory.segment(), Access.ALL));
        return new Region(node(), regionId, memory);
    }

    @Override
    public Endpoint open(Worker worker, Region buffers) {
        checkSettingUp();
        Regions.checkNode(node(), worker, buffers);
        MemoryRegion region = regions.get(buffers.id());
        if (region == null || region.base() != buffers.memory().segment().address()) {
            throw new IllegalArgumentException("buffers must be a region that was registered here: " + buffers);
        }
        Regions.checkNoEndpoint(worker, endpoints.keySet().stream().mapToInt(Integer::intValue));
        CompletionQueue cq =
                device.createCq(sendQueueDepth * options.qpsPerPeer() * control.nodes(), channel, worker.index());
        VerbsEndpoint endpoint = new VerbsEndpoint(
                this,
                worker,
                buffers.memory(),
                region,
                cq,
                control.nodes(),
                options.qpsPerPeer(),
                sendQueueDepth,
                port.messageBytesMax());
        endpoints.put(worker.index(), endpoint);
        return endpoint;
    }

    @Override
    public void start() {
        checkSettingUp();
        byWorker = new VerbsEndpoint[endpoints.size()];
        for (VerbsEndpoint endpoint : endpoints.values()) {
            int index = endpoint.worker().index();
            if (index >= byWorker.length) {
                throw new IllegalStateException("the workers that have endpoints must be 0 to " + (byWorker.length - 1)
                        + ", there are " + endpoints.keySet());
            }
            byWorker[index] = endpoint;
        }
        for (VerbsEndpoint endpoint : byWorker) {
            endpoint.carryCallsBy(
                    rpc.open(endpoint.worker(), endpoint.buffers(), endpoint.region(), channel, endpoint.handlers()));
        }
        started = true;
        wakeUps.start();
        for (VerbsEndpoint endpoint : byWorker) {
            endpoint.worker().addPoller(endpoint);
        }
        linker.start(new LinkMaker(this, options, node(), hello()));
    }

    @Override
    public boolean isReachable(int peer) {
        checkPeer(peer);
        return link(peer) != null;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Destroys the queue pairs that the peer's requests arrive on, which waits for the device's current operations. Also waits for
     * a turn of each worker, so that none is about to serve a call. Asks the peer to drop the link, if it can be reached.
     */
    @Override
    public void fence(int peer) {
        linker.fence(peer);
    }

    @Override
    public void admit(int peer, long incarnation) {
        linker.admit(peer, incarnation);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        linker.close();
        wakeUps.close();
        rpc.close();
        device.closeAll();
        arena.close();
    }

    // For the endpoints and the linker.

    /** The link to a peer, or null if it cannot be reached. */
    PeerLink link(int peer) {
        return linker.using(peer);
    }

    boolean isClosed() {
        return closed;
    }

    void checkPeer(int peer) {
        if (peer < 0 || peer >= control.nodes()) {
            throw new IllegalArgumentException("no node " + peer + ": this network has 0 to " + (control.nodes() - 1));
        }
    }

    /** A connection is broken. Called on its worker. */
    void broken(PeerLink link, int worker, String reason) {
        linker.broken(link, worker, reason);
    }

    private void callsBroken(int peer, int link, int worker, String reason) {
        linker.callsBroken(peer, link, worker, reason);
    }

    VerbsEndpoint[] endpoints() {
        return byWorker;
    }

    ProtectionDomain pd() {
        return pd;
    }

    CompletionQueue passiveCq() {
        return passiveCq;
    }

    RpcTransport rpc() {
        return rpc;
    }

    Gid gid() {
        return gid;
    }

    int sendWrs() {
        return sendQueueDepth;
    }

    private Hello hello() {
        PeerRegions own = new PeerRegions();
        regions.forEach((id, region) -> own.add(id, region.base(), region.bytes(), region.rkey()));
        return new Hello(
                incarnation(),
                byWorker.length,
                options.qpsPerPeer(),
                gid.high(),
                gid.low(),
                port.lid(),
                port.ethernet(),
                port.activeMtuBytes(),
                attributes.qpReadAtomicMax(),
                attributes.qpInitiatorReadAtomicMax(),
                options.rpcDescription(),
                rpc.describe(),
                own);
    }

    private void checkSettingUp() {
        if (started || closed) {
            throw new IllegalStateException(
                    "node " + node() + (closed ? " has left the network: attach anew" : " has started: set up before"));
        }
    }

    private static Atomicity atomicity(VerbsDevice device, DeviceAttributes attributes) {
        return attributes
                .atomicity()
                .orElseThrow(() -> new VerbsUnavailable("device " + device.name()
                        + " has no atomic operations, which every protocol needs: use another device or network"));
    }

    private PortAttributes checkedPort() {
        if (device.isIwarp()) {
            throw new VerbsUnavailable("device " + device.name()
                    + " speaks iWARP, whose connections this network cannot make: use RoCE or InfiniBand, or"
                    + " another network");
        }
        PortAttributes found = device.port(options.port());
        if (!found.active()) {
            throw new VerbsUnavailable("port " + options.port() + " of device " + device.name()
                    + " is not active: see that the link is up (ibv_devinfo, rdma link), or name another port");
        }
        return found;
    }

    /** The depth of send queues: as the options say, unless the device has shorter queues. */
    private int sendQueueDepth() {
        int ofCq = attributes.cqEntriesMax() / (options.qpsPerPeer() * control.nodes());
        int depth = Math.min(options.sendQueueDepth(), Math.min(attributes.qpWorkRequestsMax(), ofCq));
        if (depth < 1) {
            throw new IllegalArgumentException("device " + device.name() + " cannot have " + options.qpsPerPeer()
                    + " queue pairs to each of " + control.nodes() + " nodes: lower qps-per-peer");
        }
        return depth;
    }
}
