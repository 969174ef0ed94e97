package dev.rcc.transport.sim;

/**
 * A node's clocks, with the errors of real ones: they start at a different moment and run a little fast or slow,
 * and the wall clock is off by a skew that may step. Virtual time is the true time.
 */
final class SimClock {
    /** The wall-clock time of virtual time 0, in nanoseconds since the Unix epoch: 2030-01-01. */
    static final long EPOCH_NANOS = 1_893_456_000_000_000_000L;

    private static final long PPM = 1_000_000;

    private final long startNanos;
    private final long driftPpm;
    private long skewNanos;

    /**
     * A node's clocks.
     *
     * @param startNanos the monotonic clock's reading at virtual time 0
     * @param driftPpm the clocks' drift: nanoseconds gained in a millisecond
     * @param skewNanos how far the wall clock is ahead at virtual time 0
     */
    SimClock(long startNanos, long driftPpm, long skewNanos) {
        this.startNanos = startNanos;
        this.driftPpm = driftPpm;
        this.skewNanos = skewNanos;
    }

    long nanoTime(long virtualNanos) {
        return startNanos + virtualNanos + drift(virtualNanos);
    }

    long wallNanos(long virtualNanos) {
        return EPOCH_NANOS + skewNanos + virtualNanos + drift(virtualNanos);
    }

    /** The earliest virtual time at which the monotonic clock shows {@code nanoTime} or more. */
    long virtualNanos(long nanoTime) {
        long guess = Math.floorDiv((nanoTime - startNanos) * PPM, PPM + driftPpm);
        while (nanoTime(guess) >= nanoTime) {
            guess--;
        }
        while (nanoTime(guess) < nanoTime) {
            guess++;
        }
        return guess;
    }

    /** Sets the wall clock, as a time daemon that steps it does. */
    void step(long newSkewNanos) {
        skewNanos = newSkewNanos;
    }

    private long drift(long virtualNanos) {
        return Math.floorDiv(virtualNanos * driftPpm, PPM);
    }
}
