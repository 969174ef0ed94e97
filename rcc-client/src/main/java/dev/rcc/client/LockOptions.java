package dev.rcc.client;

import java.time.Duration;

/** The options of a request for a lock. Immutable; derived from {@link #DEFAULT}. */
public final class LockOptions {
    /** Waits for at most ten seconds, and holds the lock for the namespace's lease. */
    public static final LockOptions DEFAULT = new LockOptions(Duration.ofSeconds(10), Duration.ZERO);

    private final Duration wait;
    private final Duration lease;

    private LockOptions(Duration wait, Duration lease) {
        this.wait = wait;
        this.lease = lease;
    }

    /**
     * {@return these options with another time to wait for the lock}
     *
     * @param newWait 0 to a day; with 0 the lock is granted at once or not at all
     * @throws IllegalArgumentException when the time is out of this range
     */
    public LockOptions wait(Duration newWait) {
        Timeouts.checkNotNegative("wait", newWait);
        return new LockOptions(newWait, lease);
    }

    /**
     * {@return these options with another lease} The lock can be held for this time, rounded up to a whole multiple of the namespace's lease.
     *
     * @param newLease the lease, more than 0, at most a day and at most the namespace's longest lease; 0 for the namespace's own lease
     * @throws IllegalArgumentException when the lease is negative or more than a day
     */
    public LockOptions lease(Duration newLease) {
        Timeouts.checkNotNegative("lease", newLease);
        return new LockOptions(wait, newLease);
    }

    /** {@return how long to wait for the lock} */
    public Duration waitTime() {
        return wait;
    }

    /** {@return how long to hold the lock at most; 0 for the namespace's own lease} */
    public Duration leaseTime() {
        return lease;
    }
}
