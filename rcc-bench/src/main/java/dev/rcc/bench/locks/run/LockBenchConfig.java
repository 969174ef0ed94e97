package dev.rcc.bench.locks.run;

import dev.rcc.bench.locks.cluster.LockCluster;
import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.core.protocol.Primitive;

/**
 * A run of a lock manager.
 *
 * @param choice the manager
 * @param terms what it goes by; the time-out is tried in several values if the manager has no resets
 * @param primitive how the words of locks are reached
 * @param trace what is locked
 * @param shape nodes, workers, coroutines
 * @param thinkNanos between the last grant and the release
 * @param longNanos the same of transactions that take long
 * @param longSlots slots of their tickets
 * @param failRate how often a transaction ends without a release
 * @param durationNanos how long it is measured, in virtual time
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
        long thinkNanos,
        long longNanos,
        int longSlots,
        double failRate,
        long durationNanos,
        String profile,
        long seed,
        boolean isChecked) {
    /** With another time-out. */
    LockBenchConfig withTimeout(long nanos) {
        return new LockBenchConfig(
                choice,
                terms.withTimeout(nanos),
                primitive,
                trace,
                shape,
                thinkNanos,
                longNanos,
                longSlots,
                failRate,
                durationNanos,
                profile,
                seed,
                isChecked);
    }
}
