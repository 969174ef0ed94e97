package dev.rcc.transport.local;

import dev.rcc.core.fabric.Fabric;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The network of a cluster whose nodes all live in one JVM. Every method may be called on any thread.
 *
 * <p>A node can be reached from its start until it is stopped. Memory of a stopped node is out of reach at once but stays
 * allocated until the network is closed, since a peer may be in the middle of a copy.
 */
public final class LocalNetwork implements AutoCloseable {
    private static final int INBOX_CHAINS = 4096;

    private final AtomicReferenceArray<LocalFabric> fabrics;
    private final int inboxChains;
    private final Arena arena;
    private final Object lock = new Object();
    private final List<LocalEndpoint> endpoints = new ArrayList<>();
    private int endpointsEver;

    /** Creates the network of nodes 0 to {@code nodes - 1}. */
    public LocalNetwork(int nodes) {
        this(nodes, INBOX_CHAINS);
    }

    /** For tests: a network whose inboxes fill up earlier. */
    LocalNetwork(int nodes, int inboxChains) {
        this(nodes, inboxChains, Arena.ofShared());
    }

    private LocalNetwork(int nodes, int inboxChains, Arena arena) {
        this.fabrics = new AtomicReferenceArray<>(nodes);
        this.inboxChains = inboxChains;
        this.arena = arena;
    }

    /** A network that is never closed: its memory is freed when nothing refers to it any more. */
    static LocalNetwork unowned(int nodes) {
        return new LocalNetwork(nodes, INBOX_CHAINS, Arena.ofAuto());
    }

    /**
     * Attaches a node. A node that was stopped may attach anew, with regions and endpoints of its own.
     *
     * @throws IllegalArgumentException when there is no such node
     * @throws IllegalStateException when the node is attached already
     */
    public Fabric attach(int node) {
        check(node);
        synchronized (lock) {
            LocalFabric before = fabrics.get(node);
            return attach(node, before == null ? 1 : before.incarnation() + 1);
        }
    }

    /** Attaches a node, as above, with an incarnation that the caller chooses. */
    Fabric attach(int node, long incarnation) {
        check(node);
        synchronized (lock) {
            LocalFabric before = fabrics.get(node);
            if (before != null && !before.isStopped()) {
                throw new IllegalStateException("node " + node + " is attached already: stop it first");
            }
            LocalFabric fabric = new LocalFabric(this, node, incarnation);
            fabrics.set(node, fabric);
            return fabric;
        }
    }

    /** Whether nodes were attached, and all of them have stopped. */
    boolean isDeserted() {
        boolean wasUsed = false;
        for (int node = 0; node < fabrics.length(); node++) {
            LocalFabric fabric = fabrics.get(node);
            if (fabric != null && !fabric.isStopped()) {
                return false;
            }
            wasUsed |= fabric != null;
        }
        return wasUsed;
    }

    /**
     * Cuts a node off. All batches and calls to it, outstanding or later, complete as failed with this node as
     * the peer. A second call does nothing.
     *
     * <p>Close the node's workers first. A request and its reply are read and written in the caller's own buffers, which
     * belong to the caller again once its call has failed. A handler of this node that still ran could then read a
     * request that is no longer there, or write its reply over the caller's new data.
     */
    public void stop(int node) {
        check(node);
        synchronized (lock) {
            LocalFabric fabric = fabrics.get(node);
            if (fabric == null || fabric.isStopped()) {
                return;
            }
            // First the flag, then the tasks. An endpoint either makes a call before its task runs, which
            // then fails it, or makes it later and sees the flag. An endpoint that opens later also sees it.
            fabric.markStopped();
            for (LocalEndpoint endpoint : endpoints) {
                endpoint.peerStopped(fabric);
            }
            endpoints.removeIf(endpoint -> endpoint.fabric() == fabric);
        }
    }

    /** Whether the node was stopped and has not attached anew. */
    public boolean isStopped(int node) {
        check(node);
        LocalFabric fabric = fabrics.get(node);
        return fabric != null && fabric.isStopped();
    }

    /** Frees the memory of all nodes. Only after all their workers were closed; a second call does nothing. */
    @Override
    public void close() {
        synchronized (lock) {
            if (arena.scope().isAlive()) {
                arena.close();
            }
        }
    }

    /** The attachment of a node that can be reached, else null. */
    LocalFabric reachable(int node) {
        check(node);
        LocalFabric fabric = fabrics.getAcquire(node);
        return fabric != null && fabric.isReachable() ? fabric : null;
    }

    /** The number of nodes, attached or not. */
    int nodes() {
        return fabrics.length();
    }

    /** The arena that all memory of this network is allocated from. */
    Arena arena() {
        return arena;
    }

    /** The lock that guards set-up and stops. */
    Object lock() {
        return lock;
    }

    /** The number of chains that an endpoint's inbox holds. */
    int inboxChains() {
        return inboxChains;
    }

    /** A number that no endpoint of this network had before. Called under the lock. */
    int nextEndpointId() {
        return endpointsEver++;
    }

    /** Has {@link #stop} notify the endpoint from now on. Called under the lock. */
    void opened(LocalEndpoint endpoint) {
        endpoints.add(endpoint);
    }

    private void check(int node) {
        if (node < 0 || node >= fabrics.length()) {
            throw new IllegalArgumentException("no node " + node + ": this network has 0 to " + (fabrics.length() - 1));
        }
    }
}
