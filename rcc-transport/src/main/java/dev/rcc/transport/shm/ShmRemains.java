package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;
import dev.rcc.transport.Regions;

/**
 * The registered memory of a peer that is gone, as it was when its process ended, for recovery to read. The process may
 * have been killed between any two stores; only data that its protocol has published by a release are complete.
 *
 * <p>Nothing stops a process that is cut off but alive from writing on: recovery first makes sure that it is dead or fenced.
 *
 * <p>Used on any thread, until {@link #close}, and no longer than the fabric lives.
 */
public final class ShmRemains implements AutoCloseable {
    private final ShmMapping mapping;
    private boolean closed;

    ShmRemains(ShmMapping mapping) {
        this.mapping = mapping;
    }

    /** The node that the memory belonged to. */
    public int node() {
        return mapping.node();
    }

    /** The incarnation of the node that the memory belonged to. */
    public long incarnation() {
        return mapping.incarnation();
    }

    /**
     * The memory of a region, to be read only.
     *
     * @throws IllegalArgumentException when the node had no such region
     */
    public Memory region(int id) {
        Memory[] regions = mapping.regions();
        Memory region = id < 0 ? null : Regions.find(regions, id);
        if (region == null) {
            throw new IllegalArgumentException("node " + mapping.node() + " had no region " + id);
        }
        return Memory.of(region.segment().asReadOnly());
    }

    /** Releases the memory. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            mapping.release();
        }
    }
}
