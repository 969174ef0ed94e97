package dev.rcc.transport.verbs;

/**
 * One life of the way to a peer: what the peer has registered, and the connections to it of all workers. It ends when the
 * peer is lost or a connection breaks; the next incarnation is another object. Made under the fabric's lock, then handed to the
 * workers.
 */
final class PeerLink {
    private final int peer;
    private final int attempt;
    private final int incarnation;
    private final long peerIncarnation;
    private final PeerRegions regions;
    private final Connection[][] connections;
    private boolean callable;

    /**
     * A link whose connections have yet to be set.
     *
     * @param attempt the attempt to make it, as the leading side counts them
     * @param incarnation a number that no link of this node had before
     * @param peerIncarnation which incarnation of the peer it is to
     * @param slots number of workers here or there, whichever is greater
     */
    PeerLink(
            int peer,
            int attempt,
            int incarnation,
            long peerIncarnation,
            PeerRegions regions,
            int slots,
            int qpsPerPeer) {
        this.peer = peer;
        this.attempt = attempt;
        this.incarnation = incarnation;
        this.peerIncarnation = peerIncarnation;
        this.regions = regions;
        this.connections = new Connection[slots][qpsPerPeer];
    }

    int peer() {
        return peer;
    }

    int attempt() {
        return attempt;
    }

    /** Calls can go over it. Under the linker's lock. */
    void markCallable() {
        callable = true;
    }

    /** Whether calls can go over it. Under the linker's lock. */
    boolean isCallable() {
        return callable;
    }

    int incarnation() {
        return incarnation;
    }

    long peerIncarnation() {
        return peerIncarnation;
    }

    PeerRegions regions() {
        return regions;
    }

    /** Number of workers here or there, whichever is greater. Those beyond the own workers only serve the peer's. */
    int slots() {
        return connections.length;
    }

    Connection[] connections(int slot) {
        return connections[slot];
    }
}
