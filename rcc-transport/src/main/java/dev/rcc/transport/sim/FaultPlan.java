package dev.rcc.transport.sim;

/**
 * What goes wrong in a simulation and how often; when and where exactly follows from the seed. Rates are probabilities
 * from 0 to 1, times are virtual nanoseconds and drawn uniformly from 0 to their maximum, intervals are drawn around their
 * mean.
 *
 * @param delays of messages (a batch, a request, a reply, an acknowledgement) that are held up on their way
 * @param stalls of READs and WRITEs larger than a line that stop between two of their 64-byte pieces; if their rate is not 0,
 *     half of all READs that follow each other in a batch are served in any order, too
 * @param pauses of workers, before a turn: the CPU does something else, as at a garbage collection
 * @param cuts of links between two nodes
 * @param splits of all links between two zones: these lose each other
 * @param crashes of nodes, each at its own moment
 * @param clocks how wrong the nodes' clocks are
 * @param datagramLossRate of the requests and replies of RPCs that are lost and not sent again; the call fails then
 */
public record FaultPlan(
        Delays delays,
        Delays stalls,
        Delays pauses,
        Cuts cuts,
        Cuts splits,
        Crashes crashes,
        Clocks clocks,
        double datagramLossRate) {

    /** Nothing goes wrong. */
    public static final FaultPlan NONE =
            new FaultPlan(Delays.NONE, Delays.NONE, Delays.NONE, Cuts.NONE, Cuts.NONE, Crashes.NONE, Clocks.RIGHT, 0);

    /**
     * All that a healthy cluster must live with: messages held up, operations that stall half-way, CPUs that pause, clocks
     * up to 100 us apart that drift and step. No node becomes unreachable.
     */
    public static final FaultPlan ROUGH = new FaultPlan(
            new Delays(0.05, 20_000),
            new Delays(0.1, 20_000),
            new Delays(0.002, 100_000),
            Cuts.NONE,
            Cuts.NONE,
            Crashes.NONE,
            new Clocks(100_000, 50, 5_000_000),
            0);

    /** {@link #ROUGH}, and links between nodes that are cut for up to 10 ms, one every 5 ms. */
    public static final FaultPlan PARTITIONS = ROUGH.withPartitions(5_000_000, 10_000_000);

    /**
     * Something that takes longer than it should.
     *
     * @param rate how often
     * @param nanosMax how much longer
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
     * @param nanosMax how long a link stays cut
     * @param oneWayRate of the cuts that lose messages in one direction only
     * @param countMax after so many cuts, no other one
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
     * @param nodes how many
     * @param withinNanos the latest moment
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
     * Clocks that are wrong.
     *
     * @param skewNanosMax how far a node's wall clock is ahead or behind
     * @param driftPpmMax how much too fast or slow a node's clocks run, in nanoseconds a millisecond; at most 1,000
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

    /** Checks the rate. */
    public FaultPlan {
        checkRate(datagramLossRate);
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

    /** With messages held up at another rate, for another time. */
    public FaultPlan withDelays(double rate, long nanosMax) {
        return new FaultPlan(
                new Delays(rate, nanosMax), stalls, pauses, cuts, splits, crashes, clocks, datagramLossRate);
    }

    /** With operations that stall at another rate, for another time. */
    public FaultPlan withStalls(double rate, long nanosMax) {
        return new FaultPlan(
                delays, new Delays(rate, nanosMax), pauses, cuts, splits, crashes, clocks, datagramLossRate);
    }

    /** With other cuts of links, both ways, and no end of them. */
    public FaultPlan withPartitions(long intervalNanos, long nanosMax) {
        return withCuts(new Cuts(intervalNanos, nanosMax, 0, Integer.MAX_VALUE));
    }

    /** With other cuts of links. */
    public FaultPlan withCuts(Cuts newCuts) {
        return new FaultPlan(delays, stalls, pauses, newCuts, splits, crashes, clocks, datagramLossRate);
    }

    /** With other splits of zones. */
    public FaultPlan withSplits(Cuts newSplits) {
        return new FaultPlan(delays, stalls, pauses, cuts, newSplits, crashes, clocks, datagramLossRate);
    }

    /** With so many nodes that stop within so many nanoseconds. */
    public FaultPlan withCrashes(int nodes, long withinNanos) {
        return new FaultPlan(
                delays, stalls, pauses, cuts, splits, new Crashes(nodes, withinNanos), clocks, datagramLossRate);
    }

    /** With clocks that are off by another skew and drift, and step. */
    public FaultPlan withClocks(long skewNanosMax, long driftPpmMax, long stepIntervalNanos) {
        return new FaultPlan(
                delays,
                stalls,
                pauses,
                cuts,
                splits,
                crashes,
                new Clocks(skewNanosMax, driftPpmMax, stepIntervalNanos),
                datagramLossRate);
    }

    /** With so many of the datagrams that RPCs go by lost. */
    public FaultPlan withDatagramLoss(double rate) {
        return new FaultPlan(delays, stalls, pauses, cuts, splits, crashes, clocks, rate);
    }
}
