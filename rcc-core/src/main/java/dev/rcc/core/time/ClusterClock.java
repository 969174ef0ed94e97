package dev.rcc.core.time;

/**
 * A worker's view of the cluster's time: nanoseconds since the cluster's birth, the same on all nodes up to an error. It may stand still
 * or step back: timestamps are drawn by {@link TimestampClock}, which makes them unique and ascending whatever this clock says.
 *
 * <p>A protocol that needs more than the nodes' wall clocks brings its own, {@link dev.rcc.core.protocol.Protocol#clock}. Used on its
 * worker only, but for {@link #state}. Nothing here allocates.
 */
public interface ClusterClock {
    /** The error of a clock whose error is not known. */
    long NO_BOUND = Long.MAX_VALUE;

    /**
     * The cluster's time at this call, in nanoseconds since the cluster's birth; negative before it. A clock whose error has a bound counts
     * the age of what it gives into that error; one without may give the time of the beginning of the worker's turn.
     */
    long nanos();

    /**
     * How far the time that {@link #nanos} gave last was off from the cluster's at that call, at most and in either direction, in
     * nanoseconds. {@link #NO_BOUND} unless the clock is synchronised.
     */
    long errorNanos();

    /** Whether a service keeps this clock together with the other nodes'. May be called on any thread. */
    State state();

    /**
     * How a clock stands to the other nodes' clocks.
     *
     * @param isSynchronised whether the clock's error has a bound
     * @param reason by what it is synchronised, or why it is not; a few words for people
     */
    record State(boolean isSynchronised, String reason) {}
}
