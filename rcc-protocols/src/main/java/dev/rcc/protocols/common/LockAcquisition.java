package dev.rcc.protocols.common;

/**
 * How a lock is taken one-sided: with which atomics, and with which meaning of their results. It lies below the locking stages. They
 * decide which lock they want in which round, which READs follow it, and whether they wait for a lock that other transactions hold. So a
 * stage does not depend on whether a lock is one word that a CAS changes ({@link CasAcquisition}), or a queue in which a FETCH_ADD draws
 * a ticket.
 *
 * <p>The course: {@link #append} in a round, {@link #takeIn} once its batch has completed, and both again in a later round as long as the
 * lock is not {@link Progress#HELD}. {@link #leave} ends a try that did not get the lock. One for each coroutine, used on that coroutine;
 * it allocates nothing.
 */
public interface LockAcquisition {
    /** The result of a round. */
    enum Progress {
        /** The lock is held, with the word {@link LockTry#held}. */
        HELD,
        /** Nothing is in the way: the next try is likely to succeed. */
        AGAIN,
        /** Other transactions hold it; {@link LockTry#seen} is its word. The protocol's rules decide whether to wait or to abort. */
        TAKEN
    }

    /** Appends a try's work requests to the batch of the lock's node: atomics only, so that no atomic of the batch waits for a READ. */
    void append(Batches batches, LockTry lock);

    /** Takes in the results of the appended work requests, which are in the buffers. */
    Progress takeIn(LockTry lock);

    /**
     * The attempt gives up a lock that it has begun to take and does not hold: appends the work requests that keep other transactions
     * from waiting for it. May be called although nothing was appended for the lock before, or nothing is left to do.
     *
     * @return whether something was appended, and this is to be called again after the round
     */
    default boolean leave(Batches batches, LockTry lock) {
        return false;
    }
}
