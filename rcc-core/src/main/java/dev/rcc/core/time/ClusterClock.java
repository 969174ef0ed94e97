package dev.rcc.core.time;

/**
 * A worker's view of the cluster's time: nanoseconds since the cluster's birth, the same on all nodes up to an error. The clock may stand still or
 * step back: {@link TimestampClock} draws the timestamps, and makes them unique and ascending in any case.
 *
 * <p>A protocol that needs more than the nodes' wall clocks supplies its own clock, {@link dev.rcc.core.protocol.Protocol#clock}. Used on its worker
 * only, except {@link #state}. Nothing here allocates.
 */
public interface ClusterClock {
    /** The error of a clock whose error is not known. */
    long NO_BOUND = Long.MAX_VALUE;

    /**
     * The cluster's time at this call, in nanoseconds since the cluster's birth; negative before it. A clock whose error has a bound includes the age
     * of the returned time in that error; a clock without a bound may return the time at which the worker's turn began.
     */
    long nanos();

    /**
     * The largest possible difference, in either direction, between the time that {@link #nanos} returned last and the cluster's time at that call,
     * in nanoseconds. {@link #NO_BOUND} unless the clock is synchronised.
     */
    long errorNanos();

    /** Whether a service synchronises this clock with the other nodes' clocks. May be called on any thread. */
    State state();

    /**
     * The relation of a clock to the other nodes' clocks.
     *
     * @param isSynchronised whether the clock's error has a bound
     * @param reason how it is synchronised, or why it is not; a few words for people
     */
    record State(boolean isSynchronised, String reason) {}
}
