package dev.rcc.bench.locks.run;

import dev.rcc.bench.statistics.Percentile;
import java.util.Arrays;

/** The latencies of transactions, in nanoseconds. */
public final class Latencies {
    private long[] nanos = new long[1024];
    private int count;
    private boolean isSorted;

    /** Adds a transaction's latency. */
    void add(long took) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = took;
        isSorted = false;
    }

    /** Number of transactions. */
    public int count() {
        return count;
    }

    /** The mean latency; 0 without transactions. */
    public double mean() {
        return Arrays.stream(nanos, 0, count).average().orElse(0);
    }

    /** The latency that {@code percent} percent of the transactions do not exceed, by nearest rank; 0 without transactions. */
    public long percentile(double percent) {
        if (!isSorted) {
            Arrays.sort(nanos, 0, count);
            isSorted = true;
        }
        return Percentile.ofSorted(nanos, count, percent);
    }
}
