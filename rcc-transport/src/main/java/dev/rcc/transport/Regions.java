package dev.rcc.transport;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Worker;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The regions of a node as work requests find them: an array of their memories by region id, with gaps, no longer than the greatest id needs.
 * Adding a region creates a new array, so peers may read an array without a lock. The checks that every network makes of a region, or of a
 * worker that gets an endpoint, are here, too.
 */
public final class Regions {
    private Regions() {}

    /** The memory of a region, or null. The id comes from an address, so it is not negative. */
    public static Memory find(Memory[] regions, int id) {
        return id < regions.length ? regions[id] : null;
    }

    /** These regions and another one. */
    public static Memory[] with(Memory[] regions, Region added) {
        Memory[] after = Arrays.copyOf(regions, Math.max(regions.length, added.id() + 1));
        after[added.id()] = added.memory();
        return after;
    }

    /**
     * Checks that a node with these regions can register another one, before it allocates memory for it.
     *
     * @throws IllegalArgumentException when addresses have no room for the id, or another region has it
     */
    public static void checkNew(int node, int id, Memory[] regions) {
        checkNew(node, id, each -> find(regions, each) != null);
    }

    /**
     * The same check for a node that keeps its regions in another form.
     *
     * @param isTaken whether the node has a region with an id that addresses have room for
     * @throws IllegalArgumentException when addresses have no room for the id, or another region has it
     */
    public static void checkNew(int node, int id, IntPredicate isTaken) {
        checkId(id);
        if (isTaken.test(id)) {
            throw new IllegalArgumentException("region " + id + " of node " + node + " is taken");
        }
    }

    /**
     * Checks that addresses have room for a region's id.
     *
     * @throws IllegalArgumentException when they have not
     */
    public static void checkId(int id) {
        if (id < 0 || id > RemoteAddress.MAX_REGION) {
            throw new IllegalArgumentException("region id must be 0 to " + RemoteAddress.MAX_REGION + ", got " + id);
        }
    }

    /**
     * Checks that a worker that gets an endpoint, and its buffers, belong to a node.
     *
     * @throws IllegalArgumentException when one of them does not
     */
    public static void checkNode(int node, Worker worker, Region buffers) {
        if (worker.node() != node || buffers.node() != node) {
            throw new IllegalArgumentException("worker (of node " + worker.node() + ") and buffers (of node "
                    + buffers.node() + ") must be of node " + node);
        }
    }

    /**
     * Checks that a worker has no endpoint yet.
     *
     * @param withEndpoints the indexes of its node's workers that have one
     * @throws IllegalArgumentException when the worker is one of them
     */
    public static void checkNoEndpoint(Worker worker, IntStream withEndpoints) {
        if (withEndpoints.anyMatch(index -> index == worker.index())) {
            throw new IllegalArgumentException(
                    "worker " + worker.index() + " of node " + worker.node() + " has an endpoint already");
        }
    }

    /**
     * Checks that the buffers of a worker that gets an endpoint are one of the node's regions.
     *
     * @throws IllegalArgumentException when they are not
     */
    public static void checkRegistered(Memory[] regions, Region buffers) {
        if (find(regions, buffers.id()) != buffers.memory()) {
            throw new IllegalArgumentException("buffers must be a region that was registered here: " + buffers);
        }
    }
}
