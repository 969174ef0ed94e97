package dev.rcc.bench.paper;

import dev.rcc.bench.locks.run.LockBenchConfig;
import dev.rcc.bench.locks.run.LockBenchResult;
import dev.rcc.protocols.locks.LockCounters;
import java.util.LinkedHashMap;
import java.util.Map;

/** Runs lock managers in this JVM, in virtual time. Used by one thread. */
public final class LockExperiment {
    private static final double NANOS_A_MICRO = 1e3;
    private static final double NANOS_A_SECOND = 1e9;

    private final Bench bench;
    private final long seed;

    /** An experiment all of whose random choices follow from a seed. */
    public LockExperiment(Bench bench, long seed) {
        this.bench = bench;
        this.seed = seed;
    }

    /** Runs benchmarks of lock managers. */
    @FunctionalInterface
    public interface Bench {
        /** Runs a benchmark. */
        LockBenchResult run(LockBenchConfig config);
    }

    /** Runs a setup. The latencies are absent if no transaction ended. */
    public Measured run(LockSetup setup) {
        LockBenchResult result = bench.run(setup.config(seed));
        LockCounters counters = result.counters();
        double seconds = (setup.times().warmUpNanos() + setup.times().measuredNanos()) / NANOS_A_SECOND;
        Map<Quantity, Double> values = new LinkedHashMap<>();
        values.put(Quantity.THROUGHPUT, result.throughput());
        if (result.latencies().count() > 0) {
            values.put(Quantity.LATENCY_MEAN, result.latencies().mean() / NANOS_A_MICRO);
            values.put(Quantity.LATENCY_P50, result.latencies().percentile(50) / NANOS_A_MICRO);
            values.put(Quantity.LATENCY_P99, result.latencies().percentile(99) / NANOS_A_MICRO);
            values.put(Quantity.LATENCY_P999, result.latencies().percentile(99.9) / NANOS_A_MICRO);
        }
        values.put(Quantity.ABORT_RATE, result.abortShare());
        values.put(Quantity.RESETS, counters.resets / seconds);
        values.put(Quantity.ZEROINGS, counters.zeroings / seconds);
        values.put(Quantity.REQUESTS_PER_LOCK, result.verbsPerLock());
        values.put(Quantity.ATOMICS_SHARE, result.share().atomics());
        values.put(Quantity.NIC_SHARE, result.share().requests());
        values.put(Quantity.TIMEOUT, result.config().terms().timeoutNanos() / NANOS_A_MICRO);
        return new Measured(values);
    }
}
