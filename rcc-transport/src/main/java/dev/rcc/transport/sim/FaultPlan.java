package dev.rcc.transport.sim;

/**
 * What goes wrong in a simulation and how often; when and where exactly follows from the seed. Rates are probabilities
 * from 0 to 1, times are virtual nanoseconds and drawn uniformly from 0 to their maximum, intervals are drawn around their
 * mean.
 *
 * @param delayRate of messages (a batch, a request, a reply, an acknowledgement) that are held up on their way
 * @param delayNanosMax how long
 * @param stallRate of READs and WRITEs larger than a line that stop between two of their 64-byte pieces; if it is not 0, half
 *     of all READs that follow each other in a batch are served in any order, too
 * @param stallNanosMax how long
 * @param pauseRate of a worker's turns before which its CPU does something else, as at a garbage collection
 * @param pauseNanosMax how long
 * @param partitionIntervalNanos mean time between two cuts of a link between two nodes, both ways; 0 for never
 * @param partitionNanosMax how long a link stays cut
 * @param crashes nodes that stop for ever, each at its own moment
 * @param crashNanosMax the latest such moment
 * @param clockSkewNanosMax how far a node's wall clock is ahead or behind
 * @param clockDriftPpmMax how much too fast or slow a node's clocks run, in nanoseconds a millisecond
 * @param clockStepIntervalNanos mean time between two steps of some node's wall clock; 0 for never
 * @param datagramLossRate of the requests and replies of RPCs that are lost and not sent again; the call fails then
 * @param oneWayRate of the cuts of links that are one way
 */
public record FaultPlan(
        double delayRate,
        long delayNanosMax,
        double stallRate,
        long stallNanosMax,
        double pauseRate,
        long pauseNanosMax,
        long partitionIntervalNanos,
        long partitionNanosMax,
        int crashes,
        long crashNanosMax,
        long clockSkewNanosMax,
        long clockDriftPpmMax,
        long clockStepIntervalNanos,
        double datagramLossRate,
        double oneWayRate) {

    /** Nothing goes wrong. */
    public static final FaultPlan NONE = new FaultPlan(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * All that a healthy cluster must live with: messages held up, operations that stall half-way, CPUs that pause, clocks
     * up to 100 us apart that drift and step. Nobody becomes unreachable.
     */
    public static final FaultPlan WEATHER =
            new FaultPlan(0.05, 20_000, 0.1, 20_000, 0.002, 100_000, 0, 0, 0, 0, 100_000, 50, 5_000_000, 0, 0);

    /** {@link #WEATHER}, and links between nodes that are cut for up to 10 ms, one every 5 ms. */
    public static final FaultPlan PARTITIONS = WEATHER.withPartitions(5_000_000, 10_000_000);

    /** Checks the numbers. */
    public FaultPlan {
        for (double rate : new double[] {delayRate, stallRate, pauseRate, datagramLossRate, oneWayRate}) {
            if (!(rate >= 0 && rate <= 1)) {
                throw new IllegalArgumentException("a fault's rate must be from 0 to 1, got " + rate);
            }
        }
        for (long number : new long[] {
            delayNanosMax,
            stallNanosMax,
            pauseNanosMax,
            partitionIntervalNanos,
            partitionNanosMax,
            crashes,
            crashNanosMax,
            clockSkewNanosMax,
            clockDriftPpmMax,
            clockStepIntervalNanos
        }) {
            if (number < 0) {
                throw new IllegalArgumentException("a fault's time or number must be at least 0, got " + number);
            }
        }
        if (clockDriftPpmMax > 1_000) {
            throw new IllegalArgumentException("clocks drift by at most 1000 ns a ms, got " + clockDriftPpmMax);
        }
    }

    /** With messages held up at another rate, for another time. */
    public FaultPlan withDelays(double rate, long nanosMax) {
        return new FaultPlan(
                rate,
                nanosMax,
                stallRate,
                stallNanosMax,
                pauseRate,
                pauseNanosMax,
                partitionIntervalNanos,
                partitionNanosMax,
                crashes,
                crashNanosMax,
                clockSkewNanosMax,
                clockDriftPpmMax,
                clockStepIntervalNanos,
                datagramLossRate,
                oneWayRate);
    }

    /** With operations that stall at another rate, for another time. */
    public FaultPlan withStalls(double rate, long nanosMax) {
        return new FaultPlan(
                delayRate,
                delayNanosMax,
                rate,
                nanosMax,
                pauseRate,
                pauseNanosMax,
                partitionIntervalNanos,
                partitionNanosMax,
                crashes,
                crashNanosMax,
                clockSkewNanosMax,
                clockDriftPpmMax,
                clockStepIntervalNanos,
                datagramLossRate,
                oneWayRate);
    }

    /** With other partitions. */
    public FaultPlan withPartitions(long intervalNanos, long nanosMax) {
        return new FaultPlan(
                delayRate,
                delayNanosMax,
                stallRate,
                stallNanosMax,
                pauseRate,
                pauseNanosMax,
                intervalNanos,
                nanosMax,
                crashes,
                crashNanosMax,
                clockSkewNanosMax,
                clockDriftPpmMax,
                clockStepIntervalNanos,
                datagramLossRate,
                oneWayRate);
    }

    /** With so many nodes that stop within so many nanoseconds. */
    public FaultPlan withCrashes(int newCrashes, long withinNanos) {
        return new FaultPlan(
                delayRate,
                delayNanosMax,
                stallRate,
                stallNanosMax,
                pauseRate,
                pauseNanosMax,
                partitionIntervalNanos,
                partitionNanosMax,
                newCrashes,
                withinNanos,
                clockSkewNanosMax,
                clockDriftPpmMax,
                clockStepIntervalNanos,
                datagramLossRate,
                oneWayRate);
    }

    /** With clocks that are off by another skew and drift, and step. */
    public FaultPlan withClocks(long skewNanosMax, long driftPpmMax, long stepIntervalNanos) {
        return new FaultPlan(
                delayRate,
                delayNanosMax,
                stallRate,
                stallNanosMax,
                pauseRate,
                pauseNanosMax,
                partitionIntervalNanos,
                partitionNanosMax,
                crashes,
                crashNanosMax,
                skewNanosMax,
                driftPpmMax,
                stepIntervalNanos,
                datagramLossRate,
                oneWayRate);
    }

    /** With so many of the datagrams that RPCs go by lost. */
    public FaultPlan withDatagramLoss(double rate) {
        return new FaultPlan(
                delayRate,
                delayNanosMax,
                stallRate,
                stallNanosMax,
                pauseRate,
                pauseNanosMax,
                partitionIntervalNanos,
                partitionNanosMax,
                crashes,
                crashNanosMax,
                clockSkewNanosMax,
                clockDriftPpmMax,
                clockStepIntervalNanos,
                rate,
                oneWayRate);
    }

    /** With so many of the cuts one way only. */
    public FaultPlan withOneWayPartitions(double rate) {
        return new FaultPlan(
                delayRate,
                delayNanosMax,
                stallRate,
                stallNanosMax,
                pauseRate,
                pauseNanosMax,
                partitionIntervalNanos,
                partitionNanosMax,
                crashes,
                crashNanosMax,
                clockSkewNanosMax,
                clockDriftPpmMax,
                clockStepIntervalNanos,
                datagramLossRate,
                rate);
    }
}
