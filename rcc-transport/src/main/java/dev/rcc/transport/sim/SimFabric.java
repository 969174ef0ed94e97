package dev.rcc.transport.sim;

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
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;

/** One incarnation of a node on a {@link SimNetwork}, from attaching to stopping. */
final class SimFabric implements Fabric {
    private final SimNetwork network;
    private final int node;
    private Memory[] regions = {};
    private SimEndpoint[] endpoints = {};
    private boolean started;
    private boolean stopped;
    private final long incarnation;
    private final PeerGates gates;
    private long bytesSent;
    private long bytesReceived;

    SimFabric(SimNetwork network, int node, long incarnation) {
        this.network = network;
        this.node = node;
        this.incarnation = incarnation;
        this.gates = new PeerGates(node, network.nodes());
    }

    @Override
    public String name() {
        return "sim";
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
                WorkerCounters.sum(Arrays.stream(endpoints).map(SimEndpoint::counters));
        sum.put(FabricCounter.BYTES_SENT, bytesSent);
        sum.put(FabricCounter.BYTES_RECEIVED, bytesReceived);
        return sum;
    }

    /** Counts the payload of a message to a node, unless it is this node. */
    void sent(int to, long bytes) {
        bytesSent += to == node ? 0 : bytes;
    }

    /** Counts the payload of a message from a node, unless it is this node. */
    void received(int from, long bytes) {
        bytesReceived += from == node ? 0 : bytes;
    }

    @Override
    public Atomicity atomicity() {
        return network.options().atomicity();
    }

    @Override
    public Region register(int regionId, long bytes) {
        checkAttached();
        Regions.checkNew(node, regionId, regions);
        Region region = new Region(node, regionId, Memory.allocate(network.arena(), bytes));
        regions = Regions.with(regions, region);
        return region;
    }

    @Override
    public Endpoint open(Worker worker, Region buffers) {
        Regions.checkNode(node, worker, buffers);
        if (!(worker instanceof SimWorker simulated)) {
            throw new IllegalArgumentException("worker must be a simulated one, got " + worker);
        }
        checkAttached();
        Regions.checkRegistered(regions, buffers);
        Regions.checkNoEndpoint(
                worker, Arrays.stream(endpoints).mapToInt(each -> each.worker().index()));
        SimEndpoint endpoint = new SimEndpoint(network, this, simulated, buffers.memory());
        endpoints = Arrays.copyOf(endpoints, endpoints.length + 1);
        endpoints[endpoints.length - 1] = endpoint;
        Arrays.sort(endpoints, Comparator.comparingInt(each -> each.worker().index()));
        endpoint.worker().attached(this);
        network.opened(endpoint);
        return endpoint;
    }

    @Override
    public void start() {
        checkAttached();
        started = true;
    }

    @Override
    public boolean isReachable(int peer) {
        return reach(peer) != null;
    }

    /** The attachment of a peer that is up and that this node lets in, or null, also when this node has stopped. Ignores the peer's gates. */
    SimFabric reach(int peer) {
        SimFabric target = network.reachable(peer);
        return target != null && !stopped && gates.lets(peer, target.incarnation) ? target : null;
    }

    @Override
    public void fence(int peer) {
        gates.close(peer);
    }

    @Override
    public void admit(int peer, long incarnation) {
        gates.admit(peer, incarnation);
    }

    /** Whether requests of this incarnation of a peer no longer take effect here. */
    boolean isFenced(SimFabric peer) {
        return !gates.lets(peer.node, peer.incarnation);
    }

    @Override
    public void close() {
        // A node that has attached anew since must not be stopped by its former incarnation.
        if (!stopped) {
            network.stop(node);
        }
    }

    boolean isStopped() {
        return stopped;
    }

    void markStopped() {
        stopped = true;
    }

    boolean isReachable() {
        return started && !stopped;
    }

    /** The memory of a region, or null. */
    Memory region(int id) {
        return Regions.find(regions, id);
    }

    /** The node's memory by region id, with gaps. */
    Memory[] regions() {
        return regions;
    }

    /** The endpoint that serves calls from workers with this index. */
    SimEndpoint endpointFor(int workerIndex) {
        return endpoints[workerIndex % endpoints.length];
    }

    /** Wakes the node's pollers: memory that they look at may have changed. */
    void memoryChanged() {
        for (SimEndpoint endpoint : endpoints) {
            endpoint.worker().wakeUp();
        }
    }

    private void checkAttached() {
        if (stopped) {
            throw new IllegalStateException("node " + node + " has left the network: attach anew");
        }
    }
}
