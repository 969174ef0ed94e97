package dev.rcc.protocols.common;

/**
 * How a lock is taken one-sided: with which atomics, and what their results say. It lies below the locking stages, which decide in which
 * round they want which lock, what they READ behind it, and what a lock that others hold leads to. So a stage does not know whether a
 * lock is one word that a CAS changes ({@link CasAcquisition}), or a queue in which a FETCH_ADD draws a ticket.
 *
 * <p>The course: {@link #append} in a round, {@link #takeIn} once its batch has completed, and both again in a later round as long as the
 * lock is not {@link Progress#HELD}. A try that ends otherwise is left by {@link #leave}. One for each coroutine, used on that; it
 * allocates nothing.
 */
public interface LockAcquisition {
    /** What a round has come to. */
    enum Progress {
        /** The lock is held, with the word {@link LockTry#held}. */
        HELD,
        /** Nothing is in the way: the next try is likely to succeed. */
        AGAIN,
        /** Others hold it; {@link LockTry#seen} is its word. The protocol's rules say whether to wait or to abort. */
        TAKEN
    }

    /** Appends what a try takes to the batch of the lock's node: atomics only, as no other of the batch is to wait for a READ. */
    void append(Batches batches, LockTry lock);

    /** Takes in the results of what was appended. They are in the buffers. */
    Progress takeIn(LockTry lock);

    /**
     * The attempt wants a lock no more that it has begun to take and does not hold: appends what keeps others from waiting for it. May
     * be called although nothing was appended for the lock before, or nothing is left to do.
     *
     * @return whether something was appended, and this is to be called again after the round
     */
    default boolean leave(Batches batches, LockTry lock) {
        return false;
    }
}
