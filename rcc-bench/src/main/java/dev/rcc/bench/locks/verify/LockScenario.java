package dev.rcc.bench.locks.verify;

import dev.rcc.bench.locks.cluster.LockCluster;
import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.transport.sim.FaultPlan;
import dev.rcc.transport.sim.SimOptions;
import java.util.SplittableRandom;

/**
 * The run of one seed of the hunt.
 *
 * @param seed the seed of all random numbers
 * @param scheme the lock manager
 * @param primitive how the words of locks are reached
 * @param shape nodes, workers, coroutines
 * @param locks number of locks
 * @param rounds number of rounds of locks that each requester requests
 * @param leaseNanos the lease of one slot
 * @param slotsMax the most slots of a ticket
 * @param hasUpdates whether update locks are requested
 * @param rests the assumption on which the lock manager's exclusion rests
 * @param overtakings how often a request may be overtaken by later ones; -1 for any number
 * @param weather the fault plan of network, CPUs and clocks
 * @param holderDeathRate the share of rounds whose holder dies without a release
 * @param nodeDeathRate a quarter of the probability that a node dies, while some reset is half done or at any time
 * @param options hardware, atomicity and faults
 */
public record LockScenario(
        long seed,
        LockScheme scheme,
        Primitive primitive,
        LockCluster.Shape shape,
        int locks,
        int rounds,
        long leaseNanos,
        int slotsMax,
        boolean hasUpdates,
        LockSchemes.Rests rests,
        int overtakings,
        Weather weather,
        double holderDeathRate,
        double nodeDeathRate,
        SimOptions options) {
    /** The time for which a worker's coroutines delay each other, and for which a message is on its way. */
    private static final long BUSY_NANOS = 40_000;

    private static final long TIMEOUT_NANOS = 5_000_000;
    private static final long BACKOFF_NANOS_MAX = 10_000_000;

    /** A fault plan. */
    public enum Weather {
        /** No faults. */
        CALM,
        /** Messages, operations and CPUs are delayed. */
        ROUGH,
        /** As {@link #ROUGH}, and messages are delayed for milliseconds. */
        PAUSES,
        /** Links are cut, and calls that have failed are served later. */
        PARTITIONS;

        /** The plan: the faults, and how often each occurs. */
        public FaultPlan plan() {
            return switch (this) {
                case CALM -> FaultPlan.NONE;
                case ROUGH -> FaultPlan.ROUGH;
                case PAUSES -> FaultPlan.ROUGH.withDelays(0.02, 2_000_000);
                case PARTITIONS -> FaultPlan.PARTITIONS.withLateCalls(0.002, 300_000);
            };
        }

        /** The longest delay of a worker or a message, if all faults coincide; {@link Long#MAX_VALUE} without a limit. */
        public long pauseNanos() {
            FaultPlan plan = plan();
            return plan.cuts().intervalNanos() > 0
                    ? Long.MAX_VALUE
                    : BUSY_NANOS
                            + 4
                                    * (plan.pauses().nanosMax()
                                            + plan.delays().nanosMax()
                                            + plan.stalls().nanosMax());
        }
    }

    /** Draws the scenario of a seed for a lock manager. */
    public static LockScenario draw(LockSchemes.Choice choice, long seed) {
        SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + 17);
        LockCluster.Shape shape =
                new LockCluster.Shape(1 + random.nextInt(3), 1 + random.nextInt(2), 1 + random.nextInt(4));
        long[] leases = {20_000, 100_000, 1_000_000, 10_000_000};
        long lease = leases[random.nextInt(leases.length)];
        int[] slots = {1, 1, 2, 4};
        int slotsMax = slots[random.nextInt(slots.length)];
        boolean hasUpdates = random.nextBoolean();
        long[] limits = {0, 4, 8, 32};
        long countMax = limits[random.nextInt(limits.length)];
        long poll = random.nextInt(4) == 0 && lease <= 100_000 ? 0 : 5_000; // constant polling takes many events
        Weather weather = Weather.values()[random.nextInt(Weather.values().length)];
        double holderDeathRate = random.nextInt(3) == 0 ? 0.02 : 0;
        double nodeDeathRate = random.nextInt(3) == 0 && shape.nodes() > 1 ? 0.2 : 0;
        Primitive primitive = random.nextBoolean() ? Primitive.ONE_SIDED : Primitive.RPC;
        Atomicity atomicity = random.nextBoolean() ? Atomicity.DEVICE : Atomicity.GLOBAL;
        LockSchemes.Terms terms = new LockSchemes.Terms(
                lease,
                slotsMax,
                hasUpdates,
                countMax,
                poll,
                poll,
                TIMEOUT_NANOS,
                BACKOFF_NANOS_MAX,
                LockSchemes.Clocks.OF_BAD_WEATHER);
        if (choice.rests() != LockSchemes.Rests.ON_LEASES) { // a dead or unknown holder's lock stays locked
            holderDeathRate = 0;
            nodeDeathRate = 0;
            weather = weather == Weather.PARTITIONS ? Weather.ROUGH : weather;
        }
        SimOptions network =
                SimOptions.of("connectx4-edr").withAtomicity(atomicity).withFaults(weather.plan());
        boolean loopsBack = atomicity == Atomicity.GLOBAL && random.nextBoolean();
        return new LockScenario(
                seed,
                choice.scheme(terms),
                primitive,
                shape,
                1 + random.nextInt(4),
                10 + random.nextInt(40),
                lease,
                slotsMax,
                hasUpdates && choice.hasUpdates(),
                choice.rests(),
                choice.rests() != LockSchemes.Rests.ON_LEASES || countMax == 0
                        ? choice.overtakings()
                        : -1, // a requester without room loses its place
                weather,
                holderDeathRate,
                nodeDeathRate,
                loopsBack ? network.withLoopback() : network);
    }

    /** Whether two conflicting holders never hold a lock at a time; with leases, if pauses are shorter than half a lease. */
    boolean promisesExclusion() {
        return switch (rests) {
            case ON_LEASES -> weather.pauseNanos() < leaseNanos / 2;
            case ON_CLOCKS -> weather == Weather.CALM;
            case ON_LIFE -> true;
        };
    }

    @Override
    public String toString() {
        return scheme.name() + " seed " + seed + ": " + shape.nodes() + " nodes x " + shape.workers() + " workers x "
                + shape.coroutines() + " coroutines, " + locks + " locks, " + primitive.label() + ", "
                + options.atomicity() + (options.loopsBack() ? ", own node by loopback" : "") + ", lease " + leaseNanos
                + " ns, up to " + slotsMax + " slots"
                + (hasUpdates ? ", update locks" : "") + ", faults " + weather + ", holder death rate "
                + holderDeathRate + ", node death rate " + nodeDeathRate;
    }
}
