package dev.rcc.client;

import java.time.Duration;

/** The range of the times that programs set: deadlines, waits and leases. */
final class Timeouts {
    /** The longest time. Nothing needs a longer one, and its nanoseconds can be added to any reading of a clock. */
    static final Duration MAX = Duration.ofDays(1);

    private Timeouts() {}

    /**
     * Checks that a time is more than 0 and at most a day.
     *
     * @param what names the time in the message
     * @throws IllegalArgumentException when it is not
     */
    static void checkPositive(String what, Duration given) {
        if (given.isNegative() || given.isZero() || given.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(what + " must be more than 0 and at most a day, got " + given);
        }
    }

    /**
     * Checks that a time is 0 to a day.
     *
     * @param what names the time in the message
     * @throws IllegalArgumentException when it is not
     */
    static void checkNotNegative(String what, Duration given) {
        if (given.isNegative() || given.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(what + " must be 0 to a day, got " + given);
        }
    }
}
