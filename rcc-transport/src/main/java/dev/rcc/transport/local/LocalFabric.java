package dev.rcc.transport.local;

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
import java.util.Map;

/**
 * One incarnation of a node on a {@link LocalNetwork}, from attaching to stopping. Peers read it on every operation, without a
 * lock: a change replaces the whole array, under the network's lock.
 */
final class LocalFabric implements Fabric {
    private final LocalNetwork network;
    private final int node;
    private final long incarnation;
    private final PeerGates gates;
    private volatile Memory[] regions = {};
    private volatile LocalEndpoint[] endpoints = {};
    private volatile boolean started;
    private volatile boolean stopped;

    LocalFabric(LocalNetwork network, int node, long incarnation) {
        this.network = network;
        this.node = node;
        this.incarnation = incarnation;
        this.gates = new PeerGates(node, network.nodes());
    }

    @Override
    public String name() {
        return "local";
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
        return WorkerCounters.sum(Arrays.stream(endpoints).map(LocalEndpoint::counters));
    }

    @Override
    public Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    @Override
    public Region register(int regionId, long bytes) {
        synchronized (network.lock()) {
            checkAttached();
            Regions.checkNew(node, regionId, regions);
            Region region = new Region(node, regionId, Memory.allocate(network.arena(), bytes));
            regions = Regions.with(regions, region);
            return region;
        }
    }

    @Override
    public Endpoint open(Worker worker, Region buffers) {
        Regions.checkNode(node, worker, buffers);
        synchronized (network.lock()) {
            checkAttached();
            Regions.checkRegistered(regions, buffers);
            LocalEndpoint[] before = endpoints;
            Regions.checkNoEndpoint(worker, Arrays.stream(before).mapToInt(LocalEndpoint::workerIndex));
            int position = 0;
            while (position < before.length && before[position].workerIndex() < worker.index()) {
                position++;
            }
            LocalEndpoint endpoint = new LocalEndpoint(network, this, worker, buffers.memory());
            LocalEndpoint[] after = new LocalEndpoint[before.length + 1];
            System.arraycopy(before, 0, after, 0, position);
            after[position] = endpoint;
            System.arraycopy(before, position, after, position + 1, before.length - position);
            network.opened(endpoint);
            worker.addPoller(endpoint);
            endpoints = after;
            return endpoint;
        }
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

    /** The attachment of a node that can be reached from here, else null. */
    LocalFabric reach(int peer) {
        LocalFabric target = network.reachable(peer);
        return target != null
                        && !stopped
                        && gates.lets(peer, target.incarnation)
                        && target.gates.lets(node, incarnation)
                ? target
                : null;
    }

    /**
     * {@inheritDoc}
     *
     * <p>A node is stopped after its workers, so none of its one-sided operations is under way. Workers of this node do not serve a
     * call of the peer that they have not begun to serve.
     *
     * @throws IllegalStateException when the peer has not stopped: the current operation of a thread of this JVM cannot be stopped
     */
    @Override
    public void fence(int peer) {
        synchronized (network.lock()) {
            gates.close(peer);
            if (network.reachable(peer) != null) {
                throw new IllegalStateException("node " + peer + " has not stopped");
            }
        }
    }

    @Override
    public void admit(int peer, long incarnation) {
        gates.admit(peer, incarnation);
    }

    @Override
    public void close() {
        synchronized (network.lock()) {
            // A node that has attached anew since must not be stopped by its former incarnation.
            if (!stopped) {
                network.stop(node);
            }
        }
    }

    boolean isReachable() {
        return started && !stopped;
    }

    boolean isStopped() {
        return stopped;
    }

    void markStopped() {
        stopped = true;
    }

    /** The registered memory by region id; may be shorter than an id, and may have gaps. */
    Memory[] regions() {
        return regions;
    }

    /** The endpoint that serves calls from workers with this index. Called only once the node can be reached. */
    LocalEndpoint endpointFor(int workerIndex) {
        LocalEndpoint[] all = endpoints;
        return all[workerIndex < all.length ? workerIndex : workerIndex % all.length];
    }

    private void checkAttached() {
        if (stopped) {
            throw new IllegalStateException("node " + node + " has left the network: attach anew");
        }
    }
}
