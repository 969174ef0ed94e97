package dev.rcc.bench.workload;

import dev.rcc.core.txn.AbortReason;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The measurements of one kind of transactions.
 *
 * @param name the users' name of the kind
 * @param committed transactions that committed
 * @param refused transactions that the workload itself gave up, for a reason of its own
 * @param notInTime transactions of which no attempt could commit in time or, where nodes run the workload, within the allowed attempts
 * @param latency nanoseconds of the committed transactions, from the first attempt to the end
 * @param aborts attempts that aborted, by reason; empty where clients of the client library run the workload: they receive no reasons
 */
public record KindMeasurements(
        String name, long committed, long refused, long notInTime, Histogram latency, Map<AbortReason, Long> aborts) {
    /** Takes a copy of the map. */
    public KindMeasurements {
        aborts = Map.copyOf(aborts);
    }

    /** Transactions without effect. */
    public long gaveUp() {
        return refused + notInTime;
    }
}
