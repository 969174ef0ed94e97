package dev.rcc.transport.sim;

/**
 * The faults of a simulation and their rates; the seed determines when and where each occurs. Rates are probabilities
 * from 0 to 1. Times are virtual nanoseconds, drawn uniformly from 0 to their maximum. Intervals are drawn around their
 * mean.
 *
 * @param delays delays of messages (a batch, a request, a reply, an acknowledgement) on their way
 * @param stalls stalls of READs and WRITEs larger than a cache line, between two of their 64-byte pieces; if their rate is not 0,
 *     half of the runs of READs in a batch are also served in any order
 * @param pauses pauses of workers, before a turn: the CPU does something else, as at a garbage collection
 * @param cuts cuts of links between two nodes
 * @param splits cuts of all links between two zones at once
 * @param crashes crashes of nodes, each at its own moment
 * @param clocks the errors of the nodes' clocks
 * @param datagramLossRate the rate of RPC requests and replies that are lost and not sent again; the call fails then
 * @param lateCalls calls between living nodes that fail although the peer has the request; it serves the request some time later
 * @param cutOffRate the rate of batches that have begun to take effect when they meet a cut link: the rest of such a batch takes effect
 *     when the link is healed, or never
 */
public record FaultPlan(
        Delays delays,
        Delays stalls,
        Delays pauses,
        Cuts cuts,
        Cuts splits,
        Crashes crashes,
        Clocks clocks,
        double datagramLossRate,
        Delays lateCalls,
        double cutOffRate) {

    /** No faults. */
    public static final FaultPlan NONE = new FaultPlan(
            Delays.NONE, Delays.NONE, Delays.NONE, Cuts.NONE, Cuts.NONE, Crashes.NONE, Clocks.RIGHT, 0, Delays.NONE, 0);

    /**
     * The faults that a healthy cluster must tolerate: delayed messages, operations that stall half-way, CPUs that pause, clocks
     * up to 100 us off that drift and step. No node becomes unreachable.
     */
    public static final FaultPlan ROUGH = new FaultPlan(
            new Delays(0.05, 20_000),
            new Delays(0.1, 20_000),
            new Delays(0.002, 100_000),
            Cuts.NONE,
            Cuts.NONE,
            Crashes.NONE,
            new Clocks(100_000, 50, 5_000_000),
            0,
            Delays.NONE,
            0.5);

    /** {@link #ROUGH}, and links between nodes that are cut for up to 10 ms, one every 5 ms. */
    public static final FaultPlan PARTITIONS = ROUGH.withPartitions(5_000_000, 10_000_000);

    /**
     * Operations that take longer than they should.
     *
     * @param rate the rate of delays
     * @param nanosMax the longest delay
     */
    public record Delays(double rate, long nanosMax) {
        static final Delays NONE = new Delays(0, 0);

        /** Checks the numbers. */
        public Delays {
            checkRate(rate);
            checkNumber(nanosMax);
        }
    }

    /**
     * Links that are cut for a while; or all links between two zones at once.
     *
     * @param intervalNanos mean time between two cuts; 0 for no cuts
     * @param nanosMax the longest time that a link stays cut
     * @param oneWayRate the rate of cuts that lose messages in one direction only
     * @param countMax the number of cuts after which there are no more
     */
    public record Cuts(long intervalNanos, long nanosMax, double oneWayRate, int countMax) {
        static final Cuts NONE = new Cuts(0, 0, 0, 0);

        /** Checks the numbers. */
        public Cuts {
            checkNumber(intervalNanos);
            checkNumber(nanosMax);
            checkRate(oneWayRate);
            checkNumber(countMax);
        }
    }

    /**
     * Nodes that stop for ever.
     *
     * @param nodes the number of nodes that stop
     * @param withinNanos the latest time at which one stops
     */
    public record Crashes(int nodes, long withinNanos) {
        static final Crashes NONE = new Crashes(0, 0);

        /** Checks the numbers. */
        public Crashes {
            checkNumber(nodes);
            checkNumber(withinNanos);
        }
    }

    /**
     * Errors of clocks.
     *
     * @param skewNanosMax how far at most a node's wall clock is ahead or behind
     * @param driftPpmMax how much at most a node's clocks run too fast or slow, in nanoseconds a millisecond; at most 1,000
     * @param stepIntervalNanos mean time between two steps of some node's wall clock; 0 for never
     */
    public record Clocks(long skewNanosMax, long driftPpmMax, long stepIntervalNanos) {
        static final Clocks RIGHT = new Clocks(0, 0, 0);

        private static final long DRIFT_PPM_LIMIT = 1_000;

        /** Checks the numbers. */
        public Clocks {
            checkNumber(skewNanosMax);
            checkNumber(driftPpmMax);
            checkNumber(stepIntervalNanos);
            if (driftPpmMax > DRIFT_PPM_LIMIT) {
                throw new IllegalArgumentException("clocks drift by at most 1000 ns a ms, got " + driftPpmMax);
            }
        }
    }

    /** Checks the rates. */
    public FaultPlan {
        checkRate(datagramLossRate);
        checkRate(cutOffRate);
    }

    private static void checkRate(double rate) {
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException("a fault's rate must be from 0 to 1, got " + rate);
        }
    }

    private static void checkNumber(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("a fault's time or number must be at least 0, got " + number);
        }
    }

    /** With messages delayed at another rate, for another time. */
    public FaultPlan withDelays(double rate, long nanosMax) {
        Delays newDelays = new Delays(rate, nanosMax);
        return new FaultPlan(
                newDelays, stalls, pauses, cuts, splits, crashes, clocks, datagramLossRate, lateCalls, cutOffRate);
    }

    /** With operations that stall at another rate, for another time. */
    public FaultPlan withStalls(double rate, long nanosMax) {
        Delays newStalls = new Delays(rate, nanosMax);
        return new FaultPlan(
                delays, newStalls, pauses, cuts, splits, crashes, clocks, datagramLossRate, lateCalls, cutOffRate);
    }

    /** With other cuts of links, both ways, without a limit to their number. */
    public FaultPlan withPartitions(long intervalNanos, long nanosMax) {
        return withCuts(new Cuts(intervalNanos, nanosMax, 0, Integer.MAX_VALUE));
    }

    /** With other cuts of links. */
    public FaultPlan withCuts(Cuts newCuts) {
        return new FaultPlan(
                delays, stalls, pauses, newCuts, splits, crashes, clocks, datagramLossRate, lateCalls, cutOffRate);
    }

    /** With other splits of zones. */
    public FaultPlan withSplits(Cuts newSplits) {
        return new FaultPlan(
                delays, stalls, pauses, cuts, newSplits, crashes, clocks, datagramLossRate, lateCalls, cutOffRate);
    }

    /** With {@code nodes} nodes that stop within {@code withinNanos} nanoseconds. */
    public FaultPlan withCrashes(int nodes, long withinNanos) {
        Crashes newCrashes = new Crashes(nodes, withinNanos);
        return new FaultPlan(
                delays, stalls, pauses, cuts, splits, newCrashes, clocks, datagramLossRate, lateCalls, cutOffRate);
    }

    /** With clocks that are off by another skew and drift, and step. */
    public FaultPlan withClocks(long skewNanosMax, long driftPpmMax, long stepIntervalNanos) {
        Clocks newClocks = new Clocks(skewNanosMax, driftPpmMax, stepIntervalNanos);
        return new FaultPlan(
                delays, stalls, pauses, cuts, splits, crashes, newClocks, datagramLossRate, lateCalls, cutOffRate);
    }

    /** With another rate of lost RPC datagrams. */
    public FaultPlan withDatagramLoss(double rate) {
        return new FaultPlan(delays, stalls, pauses, cuts, splits, crashes, clocks, rate, lateCalls, cutOffRate);
    }

    /** With failed calls that are served up to {@code nanosMax} nanoseconds later. */
    public FaultPlan withLateCalls(double rate, long nanosMax) {
        Delays newLateCalls = new Delays(rate, nanosMax);
        return new FaultPlan(
                delays, stalls, pauses, cuts, splits, crashes, clocks, datagramLossRate, newLateCalls, cutOffRate);
    }

    /** With another rate of batches that cut links cut off. */
    public FaultPlan withCutOffs(double rate) {
        return new FaultPlan(delays, stalls, pauses, cuts, splits, crashes, clocks, datagramLossRate, lateCalls, rate);
    }
}
