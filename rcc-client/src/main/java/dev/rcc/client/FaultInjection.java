package dev.rcc.client;

import java.time.Duration;
import java.util.Objects;

/**
 * Faults that a client injects into its own transactions, for tests of the program that uses it. A test can set the rate of the conflicts and
 * lost answers that the program will meet in production. Immutable.
 *
 * @param conflictRate the share of commits that end with a conflict instead, from 0 to 1
 * @param unknownRate the share of writing commits that end with an unknown outcome, from 0 to 1; half of those take effect, half do not
 * @param delayRate the share of operations and procedure calls that are delayed, from 0 to 1
 * @param delay how long a delayed request waits
 * @param seed the seed of the random choices
 */
public record FaultInjection(double conflictRate, double unknownRate, double delayRate, Duration delay, long seed) {
    /** No faults. */
    public static final FaultInjection NONE = new FaultInjection(0, 0, 0, Duration.ZERO, 0);

    /**
     * Checks the rates.
     *
     * @throws IllegalArgumentException when a rate is not from 0 to 1, or the delay is negative
     */
    public FaultInjection {
        Objects.requireNonNull(delay, "delay");
        checkRate("conflictRate", conflictRate);
        checkRate("unknownRate", unknownRate);
        checkRate("delayRate", delayRate);
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay must not be negative, got " + delay);
        }
    }

    /**
     * {@return these faults with conflicts at another rate}
     *
     * @param rate the share of commits that end with a conflict instead, from 0 (none) to 1 (all)
     */
    public FaultInjection conflicts(double rate) {
        return new FaultInjection(rate, unknownRate, delayRate, delay, seed);
    }

    /**
     * {@return these faults with unknown outcomes at another rate}
     *
     * @param rate the share of writing commits that end with an unknown outcome, from 0 (none) to 1 (all)
     */
    public FaultInjection unknownOutcomes(double rate) {
        return new FaultInjection(conflictRate, rate, delayRate, delay, seed);
    }

    /**
     * {@return these faults with other delays}
     *
     * @param rate the share of operations and procedure calls that are delayed, from 0 (none) to 1 (all)
     * @param newDelay how long a delayed request waits before it is sent, on the thread that makes it; not negative
     */
    public FaultInjection delays(double rate, Duration newDelay) {
        return new FaultInjection(conflictRate, unknownRate, rate, newDelay, seed);
    }

    /**
     * {@return these faults with another seed} A program that does the same in the same order meets the same faults.
     *
     * @param newSeed the seed of the random choices
     */
    public FaultInjection withSeed(long newSeed) {
        return new FaultInjection(conflictRate, unknownRate, delayRate, delay, newSeed);
    }

    private static void checkRate(String what, double rate) {
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException(what + " must be from 0 to 1, got " + rate);
        }
    }
}
