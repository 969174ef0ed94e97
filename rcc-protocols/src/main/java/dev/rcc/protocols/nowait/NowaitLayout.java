package dev.rcc.protocols.nowait;

import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.locking.LockRules;

/**
 * NOWAIT's metadata: one lock word, at the start of each tuple and leaf.
 *
 * <pre>
 *  63                                                        0
 * +-----------------------------------------------------------+
 * |  0: free                                                  |
 * |  1 to 2^18 - 1: held shared, so many times                |
 * |  2^18 and more: held exclusively by the attempt whose id  |
 * |                 this is (ids are timestamps, never less)  |
 * +-----------------------------------------------------------+
 * </pre>
 *
 * A transaction takes a shared lock by CAS from {@code n} to {@code n + 1} and drops it by FETCH_ADD of -1, which cannot
 * borrow while a shared lock is held. It takes an exclusive lock by CAS from 0; only the holder drops it, by a WRITE of 0. A
 * full count refuses further sharers, so it never looks like an id; a cluster has no more than 2^18 coroutines.
 */
public final class NowaitLayout {
    /** No transaction holds the lock. */
    public static final long FREE = LockRules.FREE;
    /** One transaction shares the lock. */
    public static final long ONE_SHARER = 1;
    /** Most transactions that can share a lock. */
    public static final long MAX_SHARED = Timestamp.of(1, 0, 0) - 1;

    private NowaitLayout() {}

    /** Whether the lock is held, and shared. */
    public static boolean isShared(long lockWord) {
        return lockWord != FREE && Long.compareUnsigned(lockWord, MAX_SHARED) <= 0;
    }

    /** Whether the lock is free or held shared with room for one more. */
    public static boolean canShare(long lockWord) {
        return Long.compareUnsigned(lockWord, MAX_SHARED) < 0;
    }
}
