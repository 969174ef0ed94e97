package dev.rcc.core.fabric;

import dev.rcc.core.memory.Region;
import dev.rcc.core.worker.Worker;
import java.util.Map;

/**
 * A node's attachment to a network. Set-up (registering regions, opening endpoints) is done by one thread before the
 * workers start; afterwards each worker uses its own {@link Endpoint}.
 */
public interface Fabric extends AutoCloseable {
    /** The name by which users pick this kind of network, such as {@code local}. */
    String name();

    /** The node that this attachment belongs to. */
    int node();

    /** The number of this incarnation of the node: positive, and greater in a later incarnation. */
    long incarnation();

    /** The operations against which remote atomics are atomic here. */
    Atomicity atomicity();

    /**
     * Allocates {@code bytes} zeroed bytes and lets the peers reach them with one-sided verbs.
     *
     * @param regionId the id under which peers address the region; free on this node
     * @throws IllegalArgumentException when the id is taken or out of range
     */
    Region register(int regionId, long bytes);

    /**
     * Lets the peers reach, with one-sided verbs, memory that this node has registered on another network: the node is on both networks, and its
     * memory exists once. The memory has to stay until this attachment is closed.
     *
     * @param region of this node; its id is free here
     * @throws IllegalArgumentException when the id is taken or the region is another node's
     * @throws UnsupportedOperationException when the network reaches only memory that it has allocated
     */
    default void adopt(Region region) {
        throw new UnsupportedOperationException(
                "the network " + name() + " reaches only memory that was registered on it, not " + region);
    }

    /**
     * Opens an endpoint from {@code worker} to all nodes, this one included, and lets the worker poll it.
     *
     * @param worker a worker of this node; it has one endpoint
     * @param buffers the region of this node, registered or adopted here, that local offsets in batches and calls refer to
     */
    Endpoint open(Worker worker, Region buffers);

    /**
     * Lets the peers connect: called once, after all regions were registered and all endpoints opened, and before the workers start. Peers that have
     * done the same are connected as they arrive; this does not wait for them. A request that is posted to a peer that is not there yet completes as
     * unreachable.
     */
    void start();

    /**
     * Whether {@code peer} is connected: false if it was found gone, has not connected yet, or was cut off. Called on any thread.
     *
     * @param peer a node of the cluster, this one included
     */
    boolean isReachable(int peer);

    /**
     * Cuts a peer off: once this returns, nothing that the peer has posted takes effect on this node any more, and no further call of the peer is
     * served. A running handler goes on until the end of its worker's turn. From then on, neither node reaches the other, in any incarnation of the
     * peer, until {@link #admit} lets one in. A second call does nothing more.
     *
     * <p>The peer need not be dead, and need not be notified. A network that shares memory with its peers cannot take it away from them; there, this
     * kills the peer's process. So a caller must be certain that the cluster goes on without the peer. Waits as long as that takes; called on any
     * thread except a worker.
     *
     * @param peer another node of the cluster
     * @throws IllegalStateException when the cut cannot be made certain: the peer may still write then
     * @throws UnsupportedOperationException when the network cannot do that
     */
    default void fence(int peer) {
        throw new UnsupportedOperationException("the network " + name() + " cannot cut node " + peer + " off");
    }

    /**
     * Lets one incarnation of a peer connect, at once or as soon as it arrives, and no other: a connection to another incarnation ends. Holds until
     * the next {@link #admit} or {@link #fence} of the peer. The caller makes sure that this incarnation was not lost. Called on any thread.
     *
     * @param peer another node of the cluster
     * @param incarnation the peer's {@link #incarnation}
     * @throws UnsupportedOperationException when the network cannot cut peers off
     */
    default void admit(int peer, long incarnation) {
        throw new UnsupportedOperationException("the network " + name() + " cannot cut node " + peer + " off");
    }

    /**
     * The network's counts at this node since it attached; they may lag behind a little. Called on any thread.
     */
    Map<FabricCounter, Long> counters();

    /** Leaves the network: requests that peers have outstanding here, or post later, complete as unreachable. */
    @Override
    void close();
}
