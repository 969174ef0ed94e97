package dev.rcc.bench.driver;

import dev.rcc.bench.workload.KindMeasurements;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * The measurements by clients of the client library.
 *
 * @param committed transactions that the clients counted as committed
 * @param gaveUp transactions without effect: the workload refused them, or no attempt could commit in time
 * @param triedAgain how often clients began a transaction again
 * @param latency nanoseconds from a committed transaction's first attempt to its answer
 * @param kinds for each kind of transactions that the workload distinguishes, the latencies of the committed ones
 * @param gaveUpOfKinds for each kind, the number of transactions that gave up
 * @param cpuSeconds processor time of the clients' process in that time; empty if the process has servers, too
 */
public record ClientMeasurements(
        long committed,
        long gaveUp,
        long triedAgain,
        Histogram latency,
        List<Histogram> kinds,
        List<Long> gaveUpOfKinds,
        OptionalDouble cpuSeconds) {
    /** Takes copies of the lists. */
    public ClientMeasurements {
        kinds = List.copyOf(kinds);
        gaveUpOfKinds = List.copyOf(gaveUpOfKinds);
    }

    KindMeasurements ofKind(int kind, String name) {
        Histogram ofKind = kinds.get(kind);
        return new KindMeasurements(name, ofKind.getTotalCount(), gaveUpOfKinds.get(kind), ofKind, Map.of());
    }
}
