package dev.rcc.bench.paper;

import dev.rcc.bench.driver.BenchResult;
import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.StageTimers;
import dev.rcc.core.txn.TransactionMetrics;
import dev.rcc.protocols.Protocols;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The measurements of a run. Immutable.
 *
 * @param values the values by quantity; quantities that the run could not measure are absent
 * @param invariants whether the run's data was correct
 */
public record Measured(Map<Quantity, Double> values, Invariants invariants) {
    private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

    private static final Set<FabricCounter> VERBS = Set.of(
            FabricCounter.READS,
            FabricCounter.WRITES,
            FabricCounter.WORD_WRITES,
            FabricCounter.SWAPS,
            FabricCounter.ADDITIONS);

    /** Takes a copy of the map. */
    public Measured {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** The measurements of a run that checks no data. */
    public Measured(Map<Quantity, Double> values) {
        this(values, Invariants.NOT_CHECKED);
    }

    /** The same measurements, with these invariants. */
    Measured withInvariants(Invariants others) {
        return new Measured(values, others);
    }

    /** The value of a quantity, if the run could measure it. */
    public OptionalDouble value(Quantity quantity) {
        Double value = values.get(quantity);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** All quantities of a benchmark's result. Quantities of committed transactions are absent if none committed. */
    public static Measured of(BenchResult result) {
        Map<Quantity, Double> values = new LinkedHashMap<>();
        TransactionMetrics metrics = result.metrics();
        values.put(Quantity.THROUGHPUT, result.committedPerSecond());
        if (metrics.committed() > 0) {
            Histogram latency = metrics.latency();
            values.put(Quantity.LATENCY_MEAN, latency.getMean() / NANOS_PER_MICRO);
            values.put(Quantity.LATENCY_P50, percentileMicros(latency, 50));
            values.put(Quantity.LATENCY_P90, percentileMicros(latency, 90));
            values.put(Quantity.LATENCY_P99, percentileMicros(latency, 99));
            values.put(Quantity.LATENCY_P999, percentileMicros(latency, 99.9));
            values.put(Quantity.ROUND_TRIPS, result.roundTripsPerTransaction());
            putPerTransaction(values, Quantity.VERBS, result, VERBS);
            putPerTransaction(values, Quantity.CALLS, result, Set.of(FabricCounter.CALLS));
            putPerTransaction(values, Quantity.BYTES, result, Set.of(FabricCounter.BYTES_SENT));
        }
        StageTimers timers = result.timers();
        for (int stage = 0; stage < timers.stages().size(); stage++) {
            if (timers.passages(stage) > 0) {
                double micros = timers.histogram(stage).getMean() / NANOS_PER_MICRO;
                values.put(Quantity.stage(timers.stages().get(stage)), micros);
            }
        }
        values.put(Quantity.ABORT_RATE, result.abortRate());
        for (AbortReason reason : Protocols.abortReasons().all()) {
            double share = metrics.attempted() == 0 ? 0 : (double) metrics.aborts(reason) / metrics.attempted();
            values.put(Quantity.aborts(BenchResult.label(reason)), share);
        }
        return new Measured(values, Invariants.of(result));
    }

    /** Puts nothing if the network does not count these events. */
    private static void putPerTransaction(
            Map<Quantity, Double> values, Quantity quantity, BenchResult result, Set<FabricCounter> counters) {
        if (result.network().keySet().containsAll(counters)) {
            long sum = counters.stream().mapToLong(result.network()::get).sum();
            values.put(quantity, (double) sum / result.metrics().committed());
        }
    }

    private static double percentileMicros(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }
}
