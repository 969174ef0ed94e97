package dev.rcc.server;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The leases that a node has granted to its peers, and to whom it grants none: those that are to be lost, and those that give their places up.
 * May be used on any thread.
 */
final class LeaseGrants {
    /** By peer: when the last lease that was granted to it is over. */
    private final long[] granted;

    /** By peer: the last of its lives that gives its place up; 0 if none has. Another life of it stays. */
    private final long[] leaving;

    private final BitSet refused = new BitSet();

    /** None yet. */
    LeaseGrants(int nodes) {
        granted = new long[nodes];
        leaving = new long[nodes];
        Arrays.fill(granted, System.nanoTime());
    }

    /** Grants a peer's life a lease, unless it is to have none. */
    synchronized boolean grant(int peer, long life, long nanos) {
        if (refused.get(peer) || isLeaving(peer, life)) {
            return false;
        }
        granted[peer] = System.nanoTime() + nanos;
        return true;
    }

    /** From now on these have no lease, until {@link #refuseNobody}. */
    synchronized void refuse(BitSet peers) {
        refused.or(peers);
    }

    /** The nodes are in another configuration. */
    synchronized void refuseNobody() {
        refused.clear();
    }

    /** A life of a node gives its place up. */
    synchronized void leaves(int peer, long life) {
        leaving[peer] = Math.max(leaving[peer], life);
    }

    /** A peer has given its lease back. */
    synchronized void isBack(int peer) {
        granted[peer] = System.nanoTime();
    }

    /** Whether a life of a node gives its place up. */
    synchronized boolean isLeaving(int peer, long life) {
        return life != 0 && leaving[peer] == life;
    }

    /** Nanoseconds until all leases of these nodes are over; 0 if they are. */
    synchronized long nanosLeft(BitSet peers) {
        long now = System.nanoTime();
        return Math.max(
                0, peers.stream().mapToLong(peer -> granted[peer] - now).max().orElse(0));
    }
}
