package dev.rcc.core.fabric;

import dev.rcc.core.memory.Region;
import dev.rcc.core.worker.Worker;

/**
 * A node's attachment to a network. Set-up (registering regions, opening endpoints) is done by one thread before the
 * workers start; afterwards each worker uses its own {@link Endpoint}.
 */
public interface Fabric extends AutoCloseable {
    /** The name by which users pick this kind of network, such as {@code local}. */
    String name();

    /** The node that this attachment belongs to. */
    int node();

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
     * Opens the way from {@code worker} to all nodes, this one included, and lets the worker poll it.
     *
     * @param worker a worker of this node; it has one endpoint
     * @param buffers the region of this node that local offsets in batches and calls refer to
     */
    Endpoint open(Worker worker, Region buffers);

    /**
     * Lets the peers in: called once, after all regions were registered and all endpoints opened, and before the workers start.
     * Peers that have done the same are connected as they come; this does not wait for them. What is posted to a peer that is
     * not there yet completes as unreachable.
     */
    void start();

    /**
     * Whether {@code peer} is connected: that it was found gone, or has not come yet, is known here. Called on any thread.
     *
     * @param peer a node of the cluster, this one included
     */
    boolean isReachable(int peer);

    /**
     * Cuts a lost peer off: once this returns, nothing that it has posted takes effect on this node any more, nor does what it
     * posts later, until it attaches anew. Called on any thread.
     *
     * @throws UnsupportedOperationException when the network cannot do that
     */
    default void fence(int peer) {
        throw new UnsupportedOperationException("the network " + name() + " cannot cut node " + peer + " off");
    }

    /** Leaves the network: what peers have outstanding here, and post later, completes as unreachable. */
    @Override
    void close();
}
