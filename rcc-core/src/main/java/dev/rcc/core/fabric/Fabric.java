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

    /** Tells the incarnations of this node apart: positive, and greater in a later incarnation. */
    long incarnation();

    /** Against what remote atomics are atomic here. */
    Atomicity atomicity();

    /**
     * Allocates {@code bytes} zeroed bytes and lets the peers reach them with one-sided verbs.
     *
     * @param regionId the id under which peers address the region; free on this node
     * @throws IllegalArgumentException when the id is taken or out of range
     */
    Region register(int regionId, long bytes);

    /**
     * Lets the peers reach memory with one-sided verbs that this node has registered on another network: the node is on both, and its memory is
     * there once. It has to stay until this attachment is closed.
     *
     * @param region of this node; its id is free here
     * @throws IllegalArgumentException when the id is taken or the region is another node's
     * @throws UnsupportedOperationException when the network reaches only what it has allocated
     */
    default void adopt(Region region) {
        throw new UnsupportedOperationException(
                "the network " + name() + " reaches only memory that was registered on it, not " + region);
    }

    /**
     * Opens the way from {@code worker} to all nodes, this one included, and lets the worker poll it.
     *
     * @param worker a worker of this node; it has one endpoint
     * @param buffers the region of this node, registered or adopted here, that local offsets in batches and calls refer to
     */
    Endpoint open(Worker worker, Region buffers);

    /**
     * Lets the peers in: called once, after all regions were registered and all endpoints opened, and before the workers start.
     * Peers that have done the same are connected as they come; this does not wait for them. What is posted to a peer that is
     * not there yet completes as unreachable.
     */
    void start();

    /**
     * Whether {@code peer} is connected: that it was found gone, has not come yet, or was cut off, is known here. Called on any
     * thread.
     *
     * @param peer a node of the cluster, this one included
     */
    boolean isReachable(int peer);

    /**
     * Cuts a peer off: once this returns, nothing that it has posted takes effect on this node any more, and no call of it is
     * begun to be served; a handler that is running goes on until the end of its worker's turn. Neither this node nor that one
     * reaches the other from then on, whichever incarnation of the peer it is, until one is let in by {@link #admit}. Done a second time
     * it does nothing more.
     *
     * <p>The peer need not be dead, and need not hear of it. A network that shares memory with its peers cannot take it out of
     * their hands; there, this kills the peer's process. So it is for those who know that the cluster goes on without the peer.
     * Waits as long as that takes; called on any thread but a worker.
     *
     * @param peer another node of the cluster
     * @throws IllegalStateException when it cannot be made sure: the peer may still write then
     * @throws UnsupportedOperationException when the network cannot do that
     */
    default void fence(int peer) {
        throw new UnsupportedOperationException("the network " + name() + " cannot cut node " + peer + " off");
    }

    /**
     * Lets one incarnation of a peer in, now if it is there, or as soon as it comes, and no other: a connection to another one ends. Holds
     * until the next {@link #admit} or {@link #fence} of the peer. The caller makes sure that it is not an incarnation that was lost. Called on any
     * thread.
     *
     * @param peer another node of the cluster
     * @param incarnation the peer's {@link #incarnation}
     * @throws UnsupportedOperationException when the network cannot cut peers off
     */
    default void admit(int peer, long incarnation) {
        throw new UnsupportedOperationException("the network " + name() + " cannot cut node " + peer + " off");
    }

    /**
     * What was counted here since the node attached, of what the network counts; it may lag behind a little. Called on any thread.
     */
    Map<FabricCounter, Long> counters();

    /** Leaves the network: what peers have outstanding here, and post later, completes as unreachable. */
    @Override
    void close();
}
