package dev.rcc.protocols.locks.dslr;

import dev.rcc.protocols.locks.LockLimits;

/**
 * The options of DSLR.
 *
 * @param leaseNanos how long a ticket of one slot may hold a lock, in nanoseconds; after two leases without a change, its holder counts as dead
 * @param slotsMax the most slots of a ticket, which may hold a lock for one lease a slot (dslr, 5.1)
 * @param updates whether there are update locks (dslr, 5.2)
 * @param countMax the number from which tickets are void; 0 for half of a field's range
 * @param pollNanos the interval between two looks of a waiter, for each ticket before its own, in nanoseconds (omega); 0 to look again at once
 * @param backoffNanos R of the backoff (dslr, A.3), in nanoseconds
 * @param backoffNanosMax L of the backoff, in nanoseconds
 */
public record DslrTerms(
        long leaseNanos,
        int slotsMax,
        boolean updates,
        long countMax,
        long pollNanos,
        long backoffNanos,
        long backoffNanosMax) {
    /** The paper's values. */
    public static final DslrTerms DEFAULT = new DslrTerms(10_000_000, 1, false, 0, 5_000, 10_000, 10_000_000);

    /** Checks the ranges. */
    public DslrTerms {
        check("lease", leaseNanos, 1_000, 1_000_000_000_000L);
        check("most slots", slotsMax, 1, 1_024);
        check("interval of polling", pollNanos, 0, leaseNanos);
        check("backoff", backoffNanos, 1, backoffNanosMax);
    }

    private static void check(String what, long given, long min, long max) {
        if (given < min || given > max) {
            throw new IllegalArgumentException(what + ": got " + given + ", allowed: " + min + " to " + max);
        }
    }

    /** With another lease. */
    public DslrTerms withLease(long nanos) {
        return new DslrTerms(
                nanos, slotsMax, updates, countMax, Math.min(pollNanos, nanos), backoffNanos, backoffNanosMax);
    }

    /** With another number of slots. */
    public DslrTerms withSlots(int max) {
        return new DslrTerms(leaseNanos, max, updates, countMax, pollNanos, backoffNanos, backoffNanosMax);
    }

    /** With or without update locks. */
    public DslrTerms withUpdates(boolean are) {
        return new DslrTerms(leaseNanos, slotsMax, are, countMax, pollNanos, backoffNanos, backoffNanosMax);
    }

    /** With another limit of the counters. */
    public DslrTerms withCountMax(long max) {
        return new DslrTerms(leaseNanos, slotsMax, updates, max, pollNanos, backoffNanos, backoffNanosMax);
    }

    /** With another interval of polling. */
    public DslrTerms withPolling(long nanos) {
        return new DslrTerms(leaseNanos, slotsMax, updates, countMax, nanos, backoffNanos, backoffNanosMax);
    }

    /** With another backoff. */
    public DslrTerms withBackoff(long nanos, long nanosMax) {
        return new DslrTerms(leaseNanos, slotsMax, updates, countMax, pollNanos, nanos, nanosMax);
    }

    /** The requests that they allow. */
    LockLimits limits() {
        return new LockLimits(updates, slotsMax);
    }

    /** How long counters may stay the same while so many slots are before a ticket: two leases of the longest ticket that may be among them. */
    long patienceNanos(long slotsBefore) {
        return 2 * leaseNanos * Math.clamp(slotsBefore, 1, slotsMax);
    }

    /** The time until the next look of a waiter. */
    long pollNanos(long slotsBefore) {
        return Math.min(pollNanos * Math.max(1, slotsBefore), leaseNanos / 4);
    }

    /** The longest wait after a number of failures in a row (dslr, A.3). */
    long backoffNanos(int failures) {
        int doublings = Math.min(Math.max(failures, 1) - 1, Long.numberOfLeadingZeros(backoffNanos) - 1);
        return Math.min(backoffNanos << doublings, backoffNanosMax);
    }
}
