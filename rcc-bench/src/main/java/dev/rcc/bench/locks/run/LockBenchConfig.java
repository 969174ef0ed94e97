package dev.rcc.bench.locks.run;

import dev.rcc.bench.locks.cluster.LockCluster;
import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.core.protocol.Primitive;
import java.util.Locale;

/**
 * A run of a lock manager.
 *
 * @param choice the manager
 * @param terms what it goes by; the time-out is tried in several values if the manager has no resets
 * @param primitive how the words of locks are reached
 * @param trace what is locked
 * @param shape nodes, workers, coroutines
 * @param lockNodes so many nodes, the first, have all locks and no clients; 0 if each node has both
 * @param clients what the coroutines do
 * @param times how long it runs
 * @param profile what the hardware costs
 * @param seed what everything follows from
 * @param isChecked whether the history is recorded and checked
 */
public record LockBenchConfig(
        LockSchemes.Choice choice,
        LockSchemes.Terms terms,
        Primitive primitive,
        LockTrace trace,
        LockCluster.Shape shape,
        int lockNodes,
        Clients clients,
        Times times,
        String profile,
        long seed,
        boolean isChecked) {
    /** Checks that somebody asks for locks. */
    public LockBenchConfig {
        if (lockNodes < 0 || lockNodes >= shape.nodes()) {
            throw new IllegalArgumentException("got " + lockNodes + " nodes without clients of " + shape.nodes()
                    + " nodes, allowed: 0 to " + (shape.nodes() - 1));
        }
    }

    /** In which order a transaction asks for its locks. */
    public enum Asks {
        /** For the next one when it has the one before, as DSLR's evaluation does (dslr, 4.7), in the order in which the trace has them. */
        ONE_BY_ONE,
        /** The same in the order of the locks' numbers, so that there are no deadlocks. */
        IN_ORDER,
        /** For all in one round. */
        IN_ONE_ROUND;

        /** The name by which users pick it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * What each coroutine does, again and again.
     *
     * @param asks in which order transactions ask for their locks
     * @param thinkNanos between the last grant and the release
     * @param pauseNanos between two transactions
     * @param longNanos the time to think of transactions that take long
     * @param longSlots slots of their tickets
     * @param failRate how often a transaction ends without a release
     */
    public record Clients(Asks asks, long thinkNanos, long pauseNanos, long longNanos, int longSlots, double failRate) {
        /** Clients that ask for one lock after the other, and do nothing else. */
        public static final Clients BUSY = new Clients(Asks.ONE_BY_ONE, 0, 0, 0, 1, 0);

        /** With a time between two transactions. */
        public Clients withPause(long nanos) {
            return new Clients(asks, thinkNanos, nanos, longNanos, longSlots, failRate);
        }

        /** With long transactions that take so long, and so many slots. */
        public Clients withLong(long nanos, int slots) {
            return new Clients(asks, thinkNanos, pauseNanos, nanos, slots, failRate);
        }

        /** Which leave their locks behind so often. */
        public Clients withFailRate(double rate) {
            return new Clients(asks, thinkNanos, pauseNanos, longNanos, longSlots, rate);
        }
    }

    /**
     * How long it runs, in virtual time.
     *
     * @param warmUpNanos before it is measured
     * @param measuredNanos how long it is measured
     */
    public record Times(long warmUpNanos, long measuredNanos) {
        /** Until it ends. */
        long endNanos() {
            return warmUpNanos + measuredNanos;
        }
    }

    /** With another time-out. */
    LockBenchConfig withTimeout(long nanos) {
        return new LockBenchConfig(
                choice,
                terms.withTimeout(nanos),
                primitive,
                trace,
                shape,
                lockNodes,
                clients,
                times,
                profile,
                seed,
                isChecked);
    }
}
