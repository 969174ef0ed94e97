package dev.rcc.core.time;

/**
 * A coroutine's source of timestamps: strictly increasing, following the worker's {@link ClusterClock}, and nudged forward by larger
 * timestamps that the coroutine meets (rcc, 4.4), so that the clocks of a cluster drift apart no further than its
 * traffic allows. When a coroutine draws more than one timestamp a tick its clock runs ahead of the node's for a while.
 * Used on its coroutine only.
 */
public final class TimestampClock {
    private final ClusterClock clock;
    private final int node;
    private final int coroutine;
    private long last;

    /**
     * Creates the clock of a coroutine.
     *
     * @param clock its worker's clock
     * @param node its node, 0 to {@link Timestamp#MAX_NODE}
     * @param coroutine its number on the node, 0 to {@link Timestamp#MAX_COROUTINE}
     */
    public TimestampClock(ClusterClock clock, int node, int coroutine) {
        this.clock = clock;
        this.node = node;
        this.coroutine = coroutine;
    }

    /**
     * Draws the next timestamp.
     *
     * @throws IllegalStateException when the clock has run out: the cluster is 9.1 years old
     */
    public long next() {
        last = Math.max(last + 1, clock.nanos() / Timestamp.TICK_NANOS);
        if (last > Timestamp.MAX_CLOCK) {
            throw new IllegalStateException("the cluster's clock has run out after " + Timestamp.MAX_CLOCK
                    + " ticks: move the data to a new cluster");
        }
        return Timestamp.of(last, node, coroutine);
    }

    /** The source of the time: the worker's clock. */
    public ClusterClock source() {
        return clock;
    }

    /** Makes every later timestamp greater than {@code timestamp}. */
    public void observe(long timestamp) {
        last = Math.max(last, Timestamp.clock(timestamp));
    }
}
