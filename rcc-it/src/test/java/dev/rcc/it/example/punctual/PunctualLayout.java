package dev.rcc.it.example.punctual;

import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.locking.LockRules;

/**
 * PUNCTUAL's metadata: one lock word, at the start of each tuple and leaf.
 *
 * <pre>
 *  63                                                        0
 * +-----------------------------------------------------------+
 * |  0: free                                                  |
 * |  1 to 2^18 - 1: shared by this number of attempts         |
 * |  2^18 and more: held by the writing attempt with this id  |
 * |                 (ids are timestamps, and never less)      |
 * +-----------------------------------------------------------+
 * </pre>
 *
 * An attempt takes a shared lock by CAS from {@code n} to {@code n + 1}, an exclusive lock by CAS from 0. A sharer drops its lock by
 * FETCH_ADD of -1, an exclusive holder by a WRITE of 0.
 *
 * <p><b>Which attempts may wait.</b> An attempt that meets an exclusive lock waits if its own id is less than the holder's ({@link #mayWait}).
 * So only the attempt with the later deadline aborts at the other's exclusive lock. No attempt waits for the sharers of a lock.
 *
 * <p><b>Why there is no deadlock.</b> Every waiting attempt reads the word again, within a bounded time, and decides anew by its value. An
 * id belongs to one attempt, so another holder has another word. So along a chain of attempts each of which waits for the next, ids grow,
 * and the chain cannot close. And every wait ends at a deadline.
 */
public final class PunctualLayout {
    /** No attempt holds the lock. */
    public static final long FREE = LockRules.FREE;
    /** One attempt shares the lock. */
    public static final long ONE_SHARER = 1;
    /** Most attempts that can share a lock. */
    public static final long MAX_SHARED = Timestamp.of(1, 0, 0) - 1;

    private PunctualLayout() {}

    /** Whether the lock is held, and shared. */
    public static boolean isShared(long word) {
        return word != FREE && Long.compareUnsigned(word, MAX_SHARED) <= 0;
    }

    /** Whether the lock is free, or shared with room for one more. */
    public static boolean canShare(long word) {
        return Long.compareUnsigned(word, MAX_SHARED) < 0;
    }

    /** Whether an attempt may wait for a lock that is not free. */
    public static boolean mayWait(long word, long id) {
        return !isShared(word) && Timestamp.isBefore(id, word);
    }
}
