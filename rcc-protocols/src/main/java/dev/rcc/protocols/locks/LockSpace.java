package dev.rcc.protocols.locks;

import dev.rcc.core.memory.RemoteAddress;

/**
 * Locks whose users decide what they guard: numbered from 0, spread over the nodes one after the other, in a region of each node that holds
 * nothing else.
 *
 * @param region the region's id, the same on each node
 * @param nodes number of nodes
 * @param locks number of locks in all
 */
public record LockSpace(int region, int nodes, long locks) {
    /** The region of a node that holds the locks of services: behind the buffers and the log, before the tables. */
    public static final int REGION = 2;
    /** Bytes of a lock; a lock never straddles a cache line. */
    public static final int LOCK_BYTES = 16;

    /** Checks that every lock has an address. */
    public LockSpace {
        if (nodes < 1 || locks < 1) {
            throw new IllegalArgumentException(
                    "a lock space has at least 1 node and 1 lock, got " + nodes + " and " + locks);
        }
        RemoteAddress.of(nodes - 1, region, bytesOf(nodes, locks) - 1);
    }

    private static long bytesOf(int nodes, long locks) {
        return (locks + nodes - 1) / nodes * LOCK_BYTES;
    }

    /** Size of the region on each node in bytes. */
    public long regionBytes() {
        return bytesOf(nodes, locks);
    }

    /**
     * The address of a lock.
     *
     * @throws IllegalArgumentException when there is no such lock
     */
    public long address(long lock) {
        if (lock < 0 || lock >= locks) {
            throw new IllegalArgumentException("no lock " + lock + ": this space has 0 to " + (locks - 1));
        }
        return RemoteAddress.of((int) (lock % nodes), region, lock / nodes * LOCK_BYTES);
    }

    /** The number of the lock at an address of this space. */
    public long lock(long address) {
        return RemoteAddress.offset(address) / LOCK_BYTES * nodes + RemoteAddress.node(address);
    }
}
