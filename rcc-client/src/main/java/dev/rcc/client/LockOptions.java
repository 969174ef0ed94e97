package dev.rcc.client;

import java.time.Duration;

/** How a lock is asked for. Immutable; made of {@link #DEFAULT}. */
public final class LockOptions {
    /** Ten seconds to wait, and the lease of the namespace. */
    public static final LockOptions DEFAULT = new LockOptions(Duration.ofSeconds(10), Duration.ZERO);

    private static final Duration DAY = Duration.ofDays(1);

    private final Duration wait;
    private final Duration lease;

    private LockOptions(Duration wait, Duration lease) {
        this.wait = wait;
        this.lease = lease;
    }

    /**
     * {@return these options with another time to wait for the lock}
     *
     * @param newWait 0 to a day; with 0 the lock is granted at once or not
     */
    public LockOptions wait(Duration newWait) {
        check("wait", newWait);
        return new LockOptions(newWait, lease);
    }

    /**
     * {@return these options with another lease} The lock can be held so long or, as leases are whole multiples of the namespace's, somewhat longer.
     *
     * @param newLease more than 0 and at most the namespace's longest; 0 for the namespace's own
     */
    public LockOptions lease(Duration newLease) {
        check("lease", newLease);
        return new LockOptions(wait, newLease);
    }

    private static void check(String what, Duration given) {
        if (given.isNegative() || given.compareTo(DAY) > 0) {
            throw new IllegalArgumentException(what + " must be 0 to a day, got " + given);
        }
    }

    /** {@return how long to wait for the lock} */
    public Duration waitTime() {
        return wait;
    }

    /** {@return how long the lock is to be held at most; 0 for the namespace's own lease} */
    public Duration leaseTime() {
        return lease;
    }
}
