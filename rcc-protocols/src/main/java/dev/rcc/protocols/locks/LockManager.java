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
     * Adds a lock to the round: {@link #post} or {@link #await} requests it, together with all other locks that were added since.
     *
     * @param address the lock's first word
     * @param mode the mode in which it is requested
     * @param slots how many leases long it may be held: 1 to the most that was configured
     * @return the number of the lock in this round, from 0
     * @throws IllegalArgumentException when a value is not allowed here, or the round has the lock already
     * @throws IllegalStateException while other locks of the round are requested and not held yet
     */
    int request(long address, LockMode mode, int slots);

    /** Requests all locks that were added, in one round trip, for which {@link #await} waits. */
    void post();

    /**
     * Waits until all locks of the round are held. First it requests the locks that have not been requested. If it fails, the round leaves nothing
     * for which other requesters would have to wait: its held locks are released, and its place in a queue is passed on in its turn.
     *
     * @param waitNanos the longest wait, from now on, in nanoseconds
     */
    LockOutcome await(long waitNanos);

    /**
     * Makes a lock that is held for {@link LockMode#UPDATE} exclusive: waits until the sharers before it have released it. A
     * failure drops all locks of the round.
     *
     * @param lock its number in the round
     * @param waitNanos the longest wait, from now on, in nanoseconds
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
     * The time that the lease of a held lock has left by this node's clock, in nanoseconds; 0 or less when it is over.
     *
     * @param lock its number in the round
     */
    long leaseLeftNanos(int lock);

    /** Whether all locks of the round are held and, by this node's clock, no lease has run out. */
    boolean isWithinLease();

    /**
     * Asks the locks' nodes whether all locks of the round are still held, even after their leases: whether no requester has taken one away.
     * The answer may be old when it arrives. {@link #token} guards actions that must not happen after the lock is lost.
     */
    boolean check();

    /** Releases all locks of the round, and ends it. Gives up the locks that are requested and not held. Without a round it does nothing. */
    void release();
}
