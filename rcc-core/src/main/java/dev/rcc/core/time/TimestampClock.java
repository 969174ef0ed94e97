package dev.rcc.core.time;

import dev.rcc.core.worker.Worker;

/**
 * A coroutine's source of timestamps: strictly increasing, following the node's clock, and nudged forward by larger
 * timestamps that the coroutine meets (rcc, 4.4), so that the clocks of a cluster drift apart no further than its
 * traffic allows. When a coroutine draws more than one timestamp a tick its clock runs ahead of the node's for a while.
 * Used on its coroutine only.
 */
public final class TimestampClock {
    private final Worker worker;
    private final int coroutine;
    private final long birthWallNanos;
    private long last;

    /**
     * Creates the clock of a coroutine.
     *
     * @param birthWallNanos the cluster's birth in nanoseconds since the Unix epoch, the same on all nodes
     */
    public TimestampClock(Worker worker, int coroutine, long birthWallNanos) {
        this.worker = worker;
        this.coroutine = coroutine;
        this.birthWallNanos = birthWallNanos;
    }

    /**
     * Draws the next timestamp.
     *
     * @throws IllegalStateException when the clock has run out: the cluster is 9.1 years old
     */
    public long next() {
        long now = (worker.wallNanos() - birthWallNanos) / Timestamp.TICK_NANOS;
        last = Math.max(last + 1, now);
        if (last > Timestamp.MAX_CLOCK) {
            throw new IllegalStateException("the cluster's clock has run out after " + Timestamp.MAX_CLOCK
                    + " ticks: move the data to a new cluster");
        }
        return Timestamp.of(last, worker.node(), coroutine);
    }

    /** How old the cluster is by this node's clock, in nanoseconds. */
    public long clusterNanos() {
        return worker.wallNanos() - birthWallNanos;
    }

    /** Makes every later timestamp greater than {@code timestamp}. */
    public void observe(long timestamp) {
        last = Math.max(last, Timestamp.clock(timestamp));
    }
}
