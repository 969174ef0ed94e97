package dev.rcc.bench.locks.run;

import dev.rcc.bench.locks.cluster.LockCluster;
import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.core.protocol.Primitive;
import java.util.Locale;

/**
 * A run of a lock manager.
 *
 * @param choice the manager
 * @param terms the manager's terms; several time-outs are tried if it has no resets
 * @param primitive how the words of locks are reached
 * @param trace the locks of the transactions
 * @param shape nodes, workers, coroutines
 * @param lockNodes number of nodes, the first ones, that have all locks and no clients; 0 if each node has both
 * @param clients the behaviour of the coroutines
 * @param times the duration of the run
 * @param profile the hardware's cost profile
 * @param seed the seed of all random numbers
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
    /** Checks that some node has clients. */
    public LockBenchConfig {
        if (lockNodes < 0 || lockNodes >= shape.nodes()) {
            throw new IllegalArgumentException("got " + lockNodes + " nodes without clients of " + shape.nodes()
                    + " nodes, allowed: 0 to " + (shape.nodes() - 1));
        }
    }

    /** The order in which a transaction requests its locks. */
    public enum Asks {
        /** Each lock after the previous one is granted, as in DSLR's evaluation (dslr, 4.7), in the trace's order. */
        ONE_BY_ONE,
        /** As {@link #ONE_BY_ONE}, but in the order of the locks' numbers, so that there are no deadlocks. */
        IN_ORDER,
        /** All locks in one round. */
        IN_ONE_ROUND;

        /** The name by which users pick it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * The behaviour of each coroutine, again and again.
     *
     * @param asks the order in which transactions request their locks
     * @param thinkNanos the time between the last grant and the release
     * @param pauseNanos the time between two transactions
     * @param longNanos the time between the last grant and the release in long transactions
     * @param longSlots number of slots of long transactions' tickets
     * @param failRate the share of transactions that end without a release
     */
    public record Clients(Asks asks, long thinkNanos, long pauseNanos, long longNanos, int longSlots, double failRate) {
        /** Clients that request one lock after the other, and do nothing else. */
        public static final Clients BUSY = new Clients(Asks.ONE_BY_ONE, 0, 0, 0, 1, 0);

        /** With a time between two transactions. */
        public Clients withPause(long nanos) {
            return new Clients(asks, thinkNanos, nanos, longNanos, longSlots, failRate);
        }

        /** With long transactions of this time and this number of slots. */
        public Clients withLong(long nanos, int slots) {
            return new Clients(asks, thinkNanos, pauseNanos, nanos, slots, failRate);
        }

        /** With this share of transactions that leave their locks behind. */
        public Clients withFailRate(double rate) {
            return new Clients(asks, thinkNanos, pauseNanos, longNanos, longSlots, rate);
        }
    }

    /**
     * The duration of a run, in virtual time.
     *
     * @param warmUpNanos the time before the measurement
     * @param measuredNanos the measured time
     */
    public record Times(long warmUpNanos, long measuredNanos) {
        /** When the run ends. */
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
