package dev.rcc.transport.composite;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.memory.Region;
import dev.rcc.core.worker.Worker;
import java.util.EnumMap;
import java.util.Map;

/**
 * A node's attachment to two networks: one leads to the nodes of its zone and to itself, the other to all other nodes.
 *
 * <p>Memory is registered on the network inside, and the network between adopts it. Each worker has an endpoint on both, which it polls in the same
 * turns, and each RPC handler serves both. The network of an operation depends on the peer alone, so the guarantees within a batch and between two
 * batches to one peer hold here, too.
 */
public final class CompositeFabric implements Fabric {
    private final Fabric inside;
    private final Fabric between;
    private final Zones zones;
    private final int zone;

    /**
     * Both attachments are of one incarnation of a node, and nothing was registered on them. They are closed with this one.
     *
     * @param inside leads to the nodes of the node's zone
     * @param between leads to all other nodes, and can adopt memory
     * @throws IllegalArgumentException when the two are of different nodes or incarnations
     */
    public CompositeFabric(Fabric inside, Fabric between, Zones zones) {
        if (inside.node() != between.node() || inside.incarnation() != between.incarnation()) {
            throw new IllegalArgumentException("both attachments must be of one incarnation of a node, got incarnation "
                    + inside.incarnation() + " of node " + inside.node() + " and incarnation " + between.incarnation()
                    + " of node " + between.node());
        }
        this.inside = inside;
        this.between = between;
        this.zones = zones;
        this.zone = zones.zone(inside.node());
    }

    /** The name of a composite network. */
    static String name(String inside, String between) {
        return inside + "+" + between;
    }

    /** That of words which are changed by way of both: an atomic of a device and one of a CPU do not exclude each other. */
    static Atomicity atomicity(Atomicity inside, Atomicity between) {
        return inside == Atomicity.GLOBAL && between == Atomicity.GLOBAL ? Atomicity.GLOBAL : Atomicity.NONE;
    }

    @Override
    public String name() {
        return name(inside.name(), between.name());
    }

    @Override
    public int node() {
        return inside.node();
    }

    @Override
    public long incarnation() {
        return inside.incarnation();
    }

    @Override
    public Atomicity atomicity() {
        return atomicity(inside.atomicity(), between.atomicity());
    }

    @Override
    public Region register(int regionId, long bytes) {
        Region region = inside.register(regionId, bytes);
        between.adopt(region);
        return region;
    }

    @Override
    public Endpoint open(Worker worker, Region buffers) {
        Endpoint near = inside.open(worker, buffers);
        Endpoint far = between.open(worker, buffers);
        Endpoint[] byPeer = new Endpoint[zones.nodes()];
        for (int peer = 0; peer < byPeer.length; peer++) {
            byPeer[peer] = isNear(peer) ? near : far;
        }
        return new CompositeEndpoint(near, far, byPeer);
    }

    @Override
    public void start() {
        inside.start();
        between.start();
    }

    @Override
    public boolean isReachable(int peer) {
        return to(peer).isReachable(peer);
    }

    @Override
    public void fence(int peer) {
        to(peer).fence(peer);
    }

    @Override
    public void admit(int peer, long incarnation) {
        to(peer).admit(peer, incarnation);
    }

    @Override
    public Map<FabricCounter, Long> counters() {
        Map<FabricCounter, Long> sum = new EnumMap<>(FabricCounter.class);
        sum.putAll(inside.counters());
        between.counters().forEach((counter, value) -> sum.merge(counter, value, Long::sum));
        return sum;
    }

    /** {@inheritDoc} Closes first the network that has adopted the memory, then the network that frees it. */
    @Override
    public void close() {
        try {
            between.close();
        } finally {
            inside.close();
        }
    }

    private Fabric to(int peer) {
        if (peer < 0 || peer >= zones.nodes()) {
            throw new IllegalArgumentException("no node " + peer + ": this network has 0 to " + (zones.nodes() - 1));
        }
        return isNear(peer) ? inside : between;
    }

    private boolean isNear(int peer) {
        return zones.zone(peer) == zone;
    }
}
