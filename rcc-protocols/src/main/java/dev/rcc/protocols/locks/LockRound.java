package dev.rcc.protocols.locks;

import java.util.ArrayList;
import java.util.List;

/**
 * A coroutine's locks by any scheme: the locks of the round, and the checks of requests. The scheme acquires and releases them.
 *
 * @param <L> the scheme's record of a lock
 */
public abstract class LockRound<L extends RequestedLock> implements LockManager {
    /** How long a lock without a lease is held, in nanoseconds. */
    private static final long ENDLESS_NANOS = Long.MAX_VALUE / 2;

    private static final int INITIAL_LOCKS = 4;

    private final LockLimits limits;
    /** The round's locks, and behind them spare ones that longer rounds have left. */
    private final List<L> locks = new ArrayList<>(INITIAL_LOCKS);

    private int count;
    private boolean isPosted;

    /** Creates a round without locks. */
    protected LockRound(LockLimits limits) {
        this.limits = limits;
    }

    /** Creates one more lock, with the memory that it needs. */
    protected abstract L newLock();

    /** Reserves room for all work requests of a lock of the round. Called before the lock joins the round. */
    protected abstract void reserve(long address);

    /** Prepares a lock that has joined the round: the next post requests it. Its address and its mode are set. */
    protected abstract void want(L lock, int slots);

    // ---- request ---------------------------------------------------------------------------------------------------

    @Override
    public final int request(long address, LockMode mode, int slots) {
        if (isPosted) {
            throw new IllegalStateException("the round of locks is posted: call await() before adding a lock");
        }
        limits.check(mode, slots);
        for (int i = 0; i < count; i++) {
            if (locks.get(i).address == address) {
                throw new IllegalArgumentException("the round has the lock already as number " + i);
            }
        }
        if (count == locks.size()) {
            locks.add(newLock());
        }
        reserve(address);
        L lock = locks.get(count);
        lock.address = address;
        lock.mode = mode;
        want(lock, slots);
        return count++;
    }

    /** Begins the round, or continues one that has grown. Returns false if that was done already. */
    protected final boolean begin() {
        boolean isBegun = isPosted;
        isPosted = true;
        return !isBegun;
    }

    /** Whether the round has begun, and its outcome is not known yet. */
    protected final boolean isPosted() {
        return isPosted;
    }

    /** Notes that all locks of the round are held: it may grow. */
    protected final LockOutcome granted() {
        isPosted = false;
        return LockOutcome.GRANTED;
    }

    /** Ends the round without a lock. */
    protected final LockOutcome fail(LockOutcome outcome) {
        release();
        return outcome;
    }

    /** Removes all locks from the round. */
    protected final void end() {
        count = 0;
        isPosted = false;
    }

    // ---- the round's locks -----------------------------------------------------------------------------------------

    /** How many locks the round has. */
    protected final int count() {
        return count;
    }

    /** A lock of the round, by its number. */
    protected final L lock(int number) {
        return locks.get(number);
    }

    /**
     * A lock of the round that is held.
     *
     * @throws IllegalArgumentException when it is not held
     */
    protected final L held(int number) {
        if (number < 0 || number >= count || !lock(number).isHeld()) {
            throw new IllegalArgumentException("no lock with the number " + number + " is held");
        }
        return lock(number);
    }

    /**
     * A lock of the round that is held for an update.
     *
     * @throws IllegalArgumentException when it is not held for an update
     */
    protected final L heldForUpdate(int number) {
        L lock = held(number);
        if (lock.mode != LockMode.UPDATE) {
            throw new IllegalArgumentException(
                    "lock " + number + " is held " + lock.mode + ": only an update lock can be upgraded");
        }
        return lock;
    }

    /** {@inheritDoc} Schemes with update locks override it. */
    @Override
    public LockOutcome upgrade(int lock, long waitNanos) {
        throw new IllegalStateException("a scheme without update locks has " + heldForUpdate(lock));
    }

    /** {@inheritDoc} Schemes with leases override it. */
    @Override
    public long leaseLeftNanos(int lock) {
        held(lock);
        return ENDLESS_NANOS;
    }

    @Override
    public final boolean isWithinLease() {
        for (int i = 0; i < count; i++) {
            if (!lock(i).isHeld() || leaseLeftNanos(i) <= 0) {
                return false;
            }
        }
        return count > 0;
    }

    /** {@inheritDoc} Schemes in which no requester can take a lock away ask no node. */
    @Override
    public boolean check() {
        return isWithinLease();
    }
}
