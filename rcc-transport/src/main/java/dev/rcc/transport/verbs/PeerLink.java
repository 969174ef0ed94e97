package dev.rcc.transport.verbs;

/**
 * One incarnation of the link to a peer: the peer's registered regions, and all workers' connections to it. It ends when the
 * peer is lost or a connection breaks; the next incarnation is another object. Made under the linker's lock, then handed to the
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
     * A link whose connections are not set yet.
     *
     * @param attempt the attempt to make it, as the leading side counts them
     * @param incarnation a number that no link of this node had before
     * @param peerIncarnation the incarnation of the peer at the other end
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

    /** Calls can be sent on the link from now on. Called under the linker's lock. */
    void markCallable() {
        callable = true;
    }

    /** Whether calls can be sent on the link. Called under the linker's lock. */
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

    /** Number of workers here or there, whichever is greater. Slots beyond this node's workers only serve the peer's workers. */
    int slots() {
        return connections.length;
    }

    Connection[] connections(int slot) {
        return connections[slot];
    }
}
