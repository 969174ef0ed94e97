package dev.rcc.protocols.locks;

/**
 * A coroutine's locks. It asks for several in one round and has all of them or none; a round that is held may grow by more requests:
 *
 * <pre>
 *   int a = locks.request(first, SHARED, 1);
 *   int b = locks.request(second, EXCLUSIVE, 1);
 *   if (locks.await(waitNanos) == GRANTED) {
 *       ... locks.token(b) ...
 *       locks.release();
 *   }
 * </pre>
 *
 * Used on its coroutine only. Allocates nothing once it has had as many locks before.
 */
public interface LockManager {
    /**
     * Adds a lock to the round: {@link #post} or {@link #await} asks for it, together with all others that were added since.
     *
     * @param address the lock's first word
     * @param mode what for
     * @param slots how many leases long it may be held: 1 to the most that was configured
     * @return the number of the lock in this round, from 0
     * @throws IllegalArgumentException when a value is not allowed here, or the round has the lock already
     * @throws IllegalStateException while others of the round are asked for and not held yet
     */
    int request(long address, LockMode mode, int slots);

    /** Asks for all locks that were added, in one round trip, which {@link #await} waits for. */
    void post();

    /**
     * Waits until all locks of the round are held; asks for those first that have not been asked for. If it fails, nothing of the round is
     * left that others would have to wait for: what was held is released, and a place in a queue is passed on in its turn.
     *
     * @param waitNanos how long at most, from now on, in nanoseconds
     */
    LockOutcome await(long waitNanos);

    /**
     * Has a lock that is held for {@link LockMode#UPDATE} to itself: waits until those before it that share it have released it. What
     * fails drops all locks of the round.
     *
     * @param lock its number in the round
     * @param waitNanos how long at most, from now on, in nanoseconds
     * @throws IllegalArgumentException when it is not held, or not for an update
     */
    LockOutcome upgrade(int lock, long waitNanos);

    /**
     * The fencing token of a lock that is held: see {@link LockToken}.
     *
     * @param lock its number in the round
     */
    long token(int lock);

    /**
     * How long the lease of a lock that is held goes on by this node's clock, in nanoseconds; 0 or less when it is over.
     *
     * @param lock its number in the round
     */
    long leaseLeftNanos(int lock);

    /** Whether all locks of the round are held and, by this node's clock, no lease has run out. */
    boolean isWithinLease();

    /**
     * Asks the locks' nodes whether all locks of the round are held yet, be it after their leases: whether nobody has taken one away.
     * The answer may be old when it is there. What must not happen after that is guarded by {@link #token}.
     */
    boolean check();

    /** Releases all locks of the round, and ends it. What is asked for and not held is given up. Without a round it does nothing. */
    void release();
}
