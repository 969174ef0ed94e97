package dev.rcc.protocols.locks.words;

/**
 * The options of managers that try again.
 *
 * @param timeoutNanos how long a round waits before it drops all its locks, in nanoseconds
 * @param retryNanos the wait between the first two tries, in nanoseconds; 0 for at once
 * @param retryNanosMax the wait between two tries doubles until it reaches this, in nanoseconds
 * @param leaseNanos how long a shared lock of DrTM is held, in nanoseconds
 * @param skewNanos how far the nodes' clocks may be apart, in nanoseconds, for DrTM
 */
public record RetryTerms(long timeoutNanos, long retryNanos, long retryNanosMax, long leaseNanos, long skewNanos) {
    /** Checks the ranges. */
    public RetryTerms {
        if (timeoutNanos < 1
                || retryNanos < 0
                || retryNanosMax < retryNanos
                || leaseNanos <= 2 * skewNanos
                || skewNanos < 0) {
            throw new IllegalArgumentException("got a time-out of " + timeoutNanos + " ns, tries every " + retryNanos
                    + " to " + retryNanosMax + " ns, leases of " + leaseNanos + " ns and clocks " + skewNanos
                    + " ns apart, allowed: a time-out of at least 1, no negative times, and leases of more than twice"
                    + " the clock skew");
        }
    }

    /** The wait between a try and the next one after a number of failures in a row, in nanoseconds. */
    long retryNanos(int failures) {
        int doublings = Math.min(failures - 1, Long.numberOfLeadingZeros(retryNanos) - 1);
        return Math.min(retryNanos << doublings, retryNanosMax);
    }
}
