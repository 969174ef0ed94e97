package dev.rcc.bench.driver;

import dev.rcc.bench.workload.KindMeasurements;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * The measurements by clients of the client library.
 *
 * @param all the counts of all transactions
 * @param kinds the counts of each kind of transactions that the workload distinguishes
 * @param triedAgain how often clients began a transaction again
 * @param cpuSeconds processor time of the clients' process in that time; empty if the process has servers, too
 */
public record ClientMeasurements(Counts all, List<Counts> kinds, long triedAgain, OptionalDouble cpuSeconds) {
    /** Takes a copy of the list. */
    public ClientMeasurements {
        kinds = List.copyOf(kinds);
    }

    /**
     * The counts of some transactions.
     *
     * @param latency nanoseconds from a committed transaction's first attempt to its answer
     * @param refused transactions that the workload itself gave up
     * @param notInTime transactions of which no attempt could commit in time
     * @param tableFull transactions that would have added records to a full table
     */
    public record Counts(Histogram latency, long refused, long notInTime, long tableFull) {}

    /** Transactions that the clients counted as committed. */
    public long committed() {
        return all.latency.getTotalCount();
    }

    /** Nanoseconds from a committed transaction's first attempt to its answer. */
    public Histogram latency() {
        return all.latency;
    }

    /** Transactions without effect: the workload refused them, no attempt could commit in time, or a table was full. */
    public long gaveUp() {
        return all.refused + all.notInTime + all.tableFull;
    }

    KindMeasurements ofKind(int kind, String name) {
        Counts counts = kinds.get(kind);
        return new KindMeasurements(
                name, counts.latency.getTotalCount(), counts.refused, counts.notInTime, counts.latency, Map.of());
    }
}
