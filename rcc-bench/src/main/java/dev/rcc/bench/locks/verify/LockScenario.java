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
 * What one seed of the hunt runs.
 *
 * @param seed what everything follows from
 * @param scheme the lock manager
 * @param primitive how the words of locks are reached
 * @param shape nodes, workers, coroutines
 * @param locks number of locks
 * @param rounds how many rounds of locks each requester asks for
 * @param leaseNanos of one slot
 * @param slotsMax the most slots of a ticket
 * @param hasUpdates whether update locks are asked for
 * @param rests what the lock manager's exclusion rests on
 * @param overtakings how often a request may be overtaken by later ones; -1 for any number
 * @param weather what goes wrong with network, CPUs and clocks
 * @param holderDeathRate how often a holder is not heard of again
 * @param nodeDeathRate how often a node dies while some reset is half done, or at any time
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
    /** What the coroutines of a worker keep each other waiting, and how long a message is under way. */
    private static final long BUSY_NANOS = 40_000;

    private static final long TIMEOUT_NANOS = 5_000_000;
    private static final long BACKOFF_NANOS_MAX = 10_000_000;

    /** What goes wrong. */
    public enum Weather {
        /** Nothing. */
        CALM,
        /** Messages, operations and CPUs are held up. */
        ROUGH,
        /** CPUs and messages stand still for milliseconds. */
        PAUSES,
        /** Links are cut. */
        PARTITIONS;

        /** What goes wrong, and how often. */
        public FaultPlan plan() {
            return switch (this) {
                case CALM -> FaultPlan.NONE;
                case ROUGH -> FaultPlan.ROUGH;
                case PAUSES -> FaultPlan.ROUGH.withDelays(0.02, 2_000_000);
                case PARTITIONS -> FaultPlan.PARTITIONS;
            };
        }

        /** How long a worker or a message is held up at most, if everything goes wrong at a time; {@link Long#MAX_VALUE} for any time. */
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

    /** Draws what a seed means for a scheme. */
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
        long poll = random.nextInt(4) == 0 && lease <= 100_000 ? 0 : 5_000; // to look all the time takes many events
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
        if (choice.rests() != LockSchemes.Rests.ON_LEASES) { // a lock whose holder is unknown stays locked
            holderDeathRate = 0;
            nodeDeathRate = 0;
            weather = weather == Weather.PARTITIONS ? Weather.ROUGH : weather;
        }
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
                        : -1, // who finds no room loses its place
                weather,
                holderDeathRate,
                nodeDeathRate,
                new SimOptions(SimOptions.of("connectx4-edr").costs(), atomicity, weather.plan(), 0));
    }

    /** Whether no two holders may hold a lock at a time: for managers with leases, as pauses are shorter than half of one. */
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
                + options.atomicity() + ", lease " + leaseNanos + " ns, up to " + slotsMax + " slots"
                + (hasUpdates ? ", update locks" : "") + ", weather " + weather + ", holders die at " + holderDeathRate
                + ", nodes at " + nodeDeathRate;
    }
}
