package dev.rcc.bench.workload;

import dev.rcc.core.txn.AbortReason;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What was measured of the transactions of one kind.
 *
 * @param name what users call the kind
 * @param committed transactions that committed
 * @param gaveUp transactions that gave up, for a reason of their own
 * @param latency nanoseconds of those that committed, from the first attempt to the end
 * @param aborts attempts that aborted, by reason; empty where clients of the client library run the workload, which do not know
 */
public record KindMeasurements(
        String name, long committed, long gaveUp, Histogram latency, Map<AbortReason, Long> aborts) {
    /** Takes a copy of the map. */
    public KindMeasurements {
        aborts = Map.copyOf(aborts);
    }
}
