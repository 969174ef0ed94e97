package dev.rcc.transport;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The incarnation of each peer that a node lets in: any at first, then only the one admitted last, and none once the peer was fenced. Used on
 * any thread. A thread that must see a gate closed before it goes on reads the gate under the same lock, or after the same barrier.
 */
public final class PeerGates {
    /** Stands for any incarnation of a peer. */
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
        return one != NONE && (one == ANY || one == incarnation);
    }

    /** Whether no incarnation of a peer is let in. */
    public boolean isClosed(int peer) {
        return letIn.get(peer) == NONE;
    }

    /** The incarnation of a peer that is let in: {@link #ANY} before the peer was admitted or fenced; -1, which is none, while the gate is closed. */
    public long letIn(int peer) {
        return letIn.get(peer);
    }

    /** Lets no incarnation of a peer in. */
    public void close(int peer) {
        check(peer);
        letIn.set(peer, NONE);
    }

    /** Lets one incarnation of a peer in, and no other. */
    public void admit(int peer, long incarnation) {
        check(peer);
        if (incarnation <= ANY) {
            throw new IllegalArgumentException("a node's incarnation is positive, got " + incarnation);
        }
        letIn.set(peer, incarnation);
    }

    private void check(int peer) {
        if (peer < 0 || peer >= letIn.length() || peer == node) {
            throw new IllegalArgumentException(
                    "peer must be 0 to " + (letIn.length() - 1) + " and not " + node + " itself, got " + peer);
        }
    }
}
