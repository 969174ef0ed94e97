package dev.rcc.server.node;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.txn.StageTimers;
import dev.rcc.core.txn.TransactionMetrics;

/**
 * What workers counted and timed, taken from each in one visit so that counts and times agree.
 *
 * @param metrics what became of the transactions
 * @param timers where their time went
 */
public record Measurements(TransactionMetrics metrics, StageTimers timers) {
    /** Nothing yet. */
    public static Measurements none(Protocol protocol) {
        return new Measurements(new TransactionMetrics(), new StageTimers(protocol.stages()));
    }

    /** Adds what other workers measured under the same protocol. */
    public void add(Measurements other) {
        add(other.metrics, other.timers);
    }

    void add(TransactionMetrics otherMetrics, StageTimers otherTimers) {
        metrics.add(otherMetrics);
        timers.add(otherTimers);
    }
}
