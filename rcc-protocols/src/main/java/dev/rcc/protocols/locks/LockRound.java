package dev.rcc.protocols.locks;

import java.util.ArrayList;
import java.util.List;

/**
 * A coroutine's locks by any scheme: which ones the round has, and what is refused. How they are acquired and released is the scheme's.
 *
 * @param <L> what the scheme keeps of a lock
 */
public abstract class LockRound<L extends RequestedLock> implements LockManager {
    /** How long a lock without a lease is held, in nanoseconds. */
    private static final long ENDLESS_NANOS = Long.MAX_VALUE / 2;

    private static final int INITIAL_LOCKS = 4;

    private final LockLimits limits;
    /** The round's, and behind them those that longer rounds have left. */
    private final List<L> locks = new ArrayList<>(INITIAL_LOCKS);

    private int count;
    private boolean isPosted;

    /** Without a lock. */
    protected LockRound(LockLimits limits) {
        this.limits = limits;
    }

    /** Makes one more, with the memory that it needs. */
    protected abstract L newLock();

    /** Makes sure that there is room for all that is done to a lock of the round. Called before it is one. */
    protected abstract void reserve(long address);

    /** A lock is in the round: it is asked for with the next post. Its address and its mode are set. */
    protected abstract void want(L lock, int slots);

    // ---- request ---------------------------------------------------------------------------------------------------

    @Override
    public final int request(long address, LockMode mode, int slots) {
        if (isPosted) {
            throw new IllegalStateException("a round of locks has begun: await it before it grows");
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

    /** Begins the round, or goes on with one that has grown. Returns whether that had not been done yet. */
    protected final boolean begin() {
        boolean isBegun = isPosted;
        isPosted = true;
        return !isBegun;
    }

    /** Whether the round has begun, and its end is not known yet. */
    protected final boolean isPosted() {
        return isPosted;
    }

    /** All locks of the round are held: it may grow. */
    protected final LockOutcome granted() {
        isPosted = false;
        return LockOutcome.GRANTED;
    }

    /** Ends the round without a lock. */
    protected final LockOutcome fail(LockOutcome outcome) {
        release();
        return outcome;
    }

    /** The round has no lock any more. */
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
     * @throws IllegalArgumentException when it is not
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
     * @throws IllegalArgumentException when it is not
     */
    protected final L heldForUpdate(int number) {
        L lock = held(number);
        if (lock.mode != LockMode.UPDATE) {
            throw new IllegalArgumentException(
                    "lock " + number + " is held " + lock.mode + ", allowed: an update lock, to be upgraded");
        }
        return lock;
    }

    /** {@inheritDoc} Schemes with update locks say how. */
    @Override
    public LockOutcome upgrade(int lock, long waitNanos) {
        throw new IllegalStateException("a scheme without update locks has " + heldForUpdate(lock));
    }

    /** {@inheritDoc} Schemes with leases say how long. */
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

    /** {@inheritDoc} Schemes in which nobody can take a lock away ask nobody. */
    @Override
    public boolean check() {
        return isWithinLease();
    }
}
