package dev.rcc.server.node;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.txn.StageTimers;
import dev.rcc.core.txn.TransactionMetrics;

/**
 * The counts and times of workers, taken from each in one visit so that they agree.
 *
 * @param metrics the counts of transactions and attempts, by outcome
 * @param timers the times that they spent in each stage
 */
public record Measurements(TransactionMetrics metrics, StageTimers timers) {
    /** No measurements yet. */
    public static Measurements none(Protocol protocol) {
        return new Measurements(new TransactionMetrics(), new StageTimers(protocol.stages()));
    }

    /** Adds the measurements of other workers under the same protocol. */
    public void add(Measurements other) {
        add(other.metrics, other.timers);
    }

    void add(TransactionMetrics otherMetrics, StageTimers otherTimers) {
        metrics.add(otherMetrics);
        timers.add(otherTimers);
    }
}
