package dev.rcc.protocols.locks.ncosed;

import dev.rcc.core.memory.Memory;
import dev.rcc.protocols.locks.LockToken;

/**
 * A lock of N-CoSED, and the names of queued requesters in its word.
 *
 * <pre>
 *          63                              32 31                               0
 *         +----------------------------------+----------------------------------+
 * word    |  exclusive tail: a place, or 0   |  sharers since the tail came     |
 *         +----------------------------------+----------------------------------+
 * holds   |  how often the lock was held exclusively, when the tail is 0        |
 *         +---------------------------------------------------------------------+
 *
 *          31       23 22       14 13             0
 *         +-----------+-----------+----------------+
 * place   |  node + 1 |  worker   |  index         |
 *         +-----------+-----------+----------------+
 * </pre>
 *
 * An exclusive requester replaces the whole word by its place with no sharers, by CAS; a sharer adds 1, by FETCH_ADD. The exclusive holder
 * writes the number of holds before it takes its place out of the word; a requester reads it behind the atomic that finds the tail 0.
 */
final class NCosedLayout {
    private static final int TAIL_SHIFT = 32;
    private static final long SHARERS_MASK = (1L << TAIL_SHIFT) - 1;

    private static final int INDEX_BITS = 14;
    private static final int WORKER_BITS = 9;
    private static final int NODE_BITS = TAIL_SHIFT - INDEX_BITS - WORKER_BITS;
    private static final int NODE_SHIFT = INDEX_BITS + WORKER_BITS;

    /** The most places of a worker that have names. */
    static final int PLACES_MAX = 1 << INDEX_BITS;
    /** The most workers of a node. */
    static final int WORKERS_MAX = 1 << WORKER_BITS;
    /** The most nodes; one number means that there is no tail. */
    static final int NODES_MAX = (1 << NODE_BITS) - 1;

    private NCosedLayout() {}

    /** The address of the number of exclusive holds. */
    static long holdsAddress(long address) {
        return address + Memory.WORD_BYTES;
    }

    static long word(long tail, long sharers) {
        return tail << TAIL_SHIFT | sharers;
    }

    static long tail(long word) {
        return word >>> TAIL_SHIFT;
    }

    static long sharers(long word) {
        return word & SHARERS_MASK;
    }

    static long place(int node, int worker, int index) {
        return (node + 1L) << NODE_SHIFT | (long) worker << INDEX_BITS | index;
    }

    static int node(long place) {
        return (int) (place >>> NODE_SHIFT) - 1;
    }

    static int worker(long place) {
        return (int) (place >>> INDEX_BITS) & (WORKERS_MAX - 1);
    }

    static int index(long place) {
        return (int) place & (PLACES_MAX - 1);
    }

    /**
     * The token of a holder: all sharers between two exclusive holders have the same token, between the tokens of these.
     *
     * @param holds how often the lock had been held exclusively before
     * @throws IllegalArgumentException when the numbers are used up, after 2^48 exclusive holders in one configuration
     */
    static long token(long epoch, long holds, boolean isExclusive) {
        long number = 2 * holds + (isExclusive ? 1 : 0);
        long ticketBits = Long.numberOfTrailingZeros(LockToken.MAX_TICKET + 1);
        return LockToken.of(epoch, number >>> ticketBits, number & LockToken.MAX_TICKET);
    }
}
