package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.Arena;

/**
 * One incarnation of a node as this process has mapped it: its regions and its doorbell. The mapping stays until its last user has
 * {@link #release}d it: connections and recovery, which {@link #retain} it, and the fabric, which keeps the last incarnation of each peer.
 * The memory of a killed process can be read as before.
 */
final class ShmMapping {
    private final int node;
    private final long incarnation;
    private final Memory[] regions;
    private final ShmDoorbell doorbell;
    private final Arena arena;
    private int users = 1;

    /** A mapping with one user, its creator. */
    ShmMapping(int node, long incarnation, Memory[] regions, ShmDoorbell doorbell, Arena arena) {
        this.node = node;
        this.incarnation = incarnation;
        this.regions = regions;
        this.doorbell = doorbell;
        this.arena = arena;
    }

    /** Maps the files that a peer has described. */
    static ShmMapping map(int node, ShmHello hello) {
        Arena arena = Arena.ofShared();
        try {
            Memory nodeFile = Memory.of(ShmFiles.map(hello.nodeFile(), ShmNodeFileLayout.BYTES, arena));
            if (!ShmNodeFileLayout.isValid(nodeFile)) {
                throw new IllegalArgumentException(hello.nodeFile() + " is not a node file of this version");
            }
            Memory[] regions = new Memory[hello.regionIds()];
            for (ShmHello.RegionFile file : hello.regions()) {
                regions[file.id()] = Memory.of(ShmFiles.map(file.path(), file.bytes(), arena));
            }
            return new ShmMapping(node, hello.incarnation(), regions, new ShmDoorbell(nodeFile), arena);
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    int node() {
        return node;
    }

    long incarnation() {
        return incarnation;
    }

    /** The memory by region id; may be shorter than an id, and may have gaps. */
    Memory[] regions() {
        return regions;
    }

    ShmDoorbell doorbell() {
        return doorbell;
    }

    synchronized ShmMapping retain() {
        if (users == 0) {
            throw new IllegalStateException("the memory of node " + node + " is not mapped any more");
        }
        users++;
        return this;
    }

    synchronized void release() {
        if (--users == 0) {
            arena.close();
        }
    }
}
