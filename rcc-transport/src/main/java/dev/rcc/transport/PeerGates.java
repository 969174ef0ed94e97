package dev.rcc.transport;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which incarnation of each peer a node lets in: any at first, then only the one that was admitted last, and none once it was fenced. Used on any
 * thread; who has to see a gate closed before going on looks at it under the same lock, or behind the same barrier.
 */
public final class PeerGates {
    /** Stands for whichever incarnation a peer has. */
    public static final long ANY = 0;

    private static final long NONE = -1;

    private final int node;
    private final AtomicLongArray letIn;

    /** The gates of {@code node} in a cluster of {@code nodes}, all open. */
    public PeerGates(int node, int nodes) {
        this.node = node;
        this.letIn = new AtomicLongArray(nodes);
    }

    /** Whether an incarnation of a peer is let in. */
    public boolean lets(int peer, long incarnation) {
        long one = letIn.get(peer);
        return one == ANY || one == incarnation;
    }

    /** Whether no incarnation of a peer is let in. */
    public boolean isClosed(int peer) {
        return letIn.get(peer) == NONE;
    }

    /** The incarnation of a peer that is let in: {@link #ANY} before one was admitted or fenced, and no incarnation's number while the gate is closed. */
    public long letIn(int peer) {
        return letIn.get(peer);
    }

    /**
     * Lets no peer in.
     *
     * @return whether all were let in before
     */
    public boolean close(int peer) {
        check(peer);
        return letIn.getAndSet(peer, NONE) == ANY;
    }

    /**
     * Lets one incarnation in, and no other.
     *
     * @return whether all were let in before
     */
    public boolean admit(int peer, long incarnation) {
        check(peer);
        if (incarnation <= ANY) {
            throw new IllegalArgumentException("a node's incarnation is positive, got " + incarnation);
        }
        return letIn.getAndSet(peer, incarnation) == ANY;
    }

    private void check(int peer) {
        if (peer < 0 || peer >= letIn.length() || peer == node) {
            throw new IllegalArgumentException(
                    "peer must be 0 to " + (letIn.length() - 1) + " and not " + node + " itself, got " + peer);
        }
    }
}
