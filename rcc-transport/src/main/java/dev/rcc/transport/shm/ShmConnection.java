package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.Arena;

/**
 * The connection of this node to a peer, or to itself, from when both have mapped each other's memory until one of them has gone.
 * Workers find it in the fabric. When it goes down, the fabric removes it first, then notifies every worker; the last worker to
 * release it frees the rings and releases the mapping. So no worker ever holds memory that is no longer mapped.
 */
final class ShmConnection {
    private final ShmMapping mapping;
    private final long id;
    private final Arena arena;
    private final ShmLink[] links;
    private final int peerWorkers;
    private int users;
    private volatile boolean down;

    /**
     * Makes a connection to the node of {@code mapping}, which is released when the connection is freed.
     *
     * @param id the connection's id, agreed on by both ends
     * @param arena the arena that the rings are mapped in, freed with the connection
     * @param workers number of this node's workers, each of which must {@link #release} the connection
     * @param peerWorkers number of the peer's workers
     */
    private ShmConnection(ShmMapping mapping, long id, Arena arena, int workers, int peerWorkers) {
        this.mapping = mapping;
        this.id = id;
        this.arena = arena;
        this.links = new ShmLink[links(workers, peerWorkers)];
        this.peerWorkers = peerWorkers;
        this.users = workers;
    }

    /** The number of links between nodes with these numbers of workers. */
    static int links(int workers, int peerWorkers) {
        return Math.max(workers, peerWorkers);
    }

    /** Connects a node to itself: it reads each ring that it writes. */
    static ShmConnection toSelf(Memory rings, int ringBytes, ShmMapping mapping, long id, Arena arena, int workers) {
        ShmConnection connection = new ShmConnection(mapping, id, arena, workers, workers);
        connection.fill(rings, ringBytes, false, false);
        return connection;
    }

    /**
     * Connects a node to a peer.
     *
     * @param opener whether this node has opened the connection
     */
    static ShmConnection toPeer(
            Memory rings,
            int ringBytes,
            boolean opener,
            ShmMapping mapping,
            long id,
            Arena arena,
            int workers,
            int peerWorkers) {
        ShmConnection connection = new ShmConnection(mapping, id, arena, workers, peerWorkers);
        connection.fill(rings, ringBytes, !opener, opener);
        return connection;
    }

    private void fill(Memory rings, int ringBytes, boolean writesTowardsOpener, boolean readsTowardsOpener) {
        for (int link = 0; link < links.length; link++) {
            ShmRingWriter writer = new ShmRingWriter(ring(rings, link, writesTowardsOpener, ringBytes));
            ShmRingReader reader = new ShmRingReader(ring(rings, link, readsTowardsOpener, ringBytes));
            links[link] = new ShmLink(this, link % peerWorkers, writer, reader);
        }
    }

    private static Memory ring(Memory rings, int link, boolean towardsOpener, int ringBytes) {
        long offset = ShmRingLayout.ringOffset(link, towardsOpener, ringBytes);
        return Memory.of(rings.segment().asSlice(offset, ShmRingLayout.RECORDS + ringBytes));
    }

    int peer() {
        return mapping.node();
    }

    /** Number of the peer's workers. */
    int peerWorkers() {
        return peerWorkers;
    }

    /** The id by which both ends name the connection. */
    long id() {
        return id;
    }

    ShmMapping mapping() {
        return mapping;
    }

    /** The peer's memory by region id; may be shorter than an id, and may have gaps. */
    Memory[] regions() {
        return mapping.regions();
    }

    ShmDoorbell doorbell() {
        return mapping.doorbell();
    }

    /** The link on which a worker of this node calls the peer. */
    ShmLink link(int worker) {
        return links[worker];
    }

    /** All links; a worker's links are at the indexes that are equal to its own modulo the number of this node's workers. */
    ShmLink[] links() {
        return links;
    }

    /** Whether the connection has ended; its memory stays mapped until every worker has released it. */
    boolean isDown() {
        return down;
    }

    void markDown() {
        down = true;
    }

    /** Whether all workers have released the connection. */
    synchronized boolean isFreed() {
        return users == 0;
    }

    /** Releases the connection for one worker. */
    synchronized void release() {
        if (users > 0 && --users == 0) {
            arena.close();
            mapping.release();
        }
    }

    /** Frees the connection after all workers have ended, also if some had not released it. */
    synchronized void free() {
        if (users > 0) {
            users = 0;
            arena.close();
            mapping.release();
        }
    }
}
