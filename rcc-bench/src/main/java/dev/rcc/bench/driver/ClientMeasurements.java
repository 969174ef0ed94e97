package dev.rcc.bench.driver;

import dev.rcc.bench.workload.KindMeasurements;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * What clients of the client library have measured.
 *
 * @param committed transactions that they know to have committed
 * @param gaveUp transactions that have had no effect: the workload refused them, or no attempt could commit in time
 * @param triedAgain how often they have begun a transaction again
 * @param latency nanoseconds from a committed transaction's first attempt to its answer
 * @param kinds of each kind of transactions that the workload tells apart, the latencies of those that committed
 * @param gaveUpOfKinds and how many gave up
 * @param cpuSeconds time that processors spent on the clients' process meanwhile; none if that is the servers', too
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
