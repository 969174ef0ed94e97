package dev.rcc.core.fabric;

/** A node that had to be reached is gone or cut off. */
public final class PeerUnreachable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int peer;

    /** Names the node. */
    public PeerUnreachable(int peer) {
        super("node " + peer + " cannot be reached: it has stopped or the network to it is down");
        this.peer = peer;
    }

    /** The node that cannot be reached. */
    public int peer() {
        return peer;
    }
}
