package dev.rcc.bench.locks.run;

import java.util.Arrays;

/** How long transactions took, in nanoseconds. */
public final class Latencies {
    private static final int PERCENT = 100;

    private long[] nanos = new long[1024];
    private int count;
    private boolean isSorted;

    /** Adds a transaction. */
    void add(long took) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = took;
        isSorted = false;
    }

    /** How many there were. */
    public int count() {
        return count;
    }

    /** Their mean; 0 if there was none. */
    public double mean() {
        return Arrays.stream(nanos, 0, count).average().orElse(0);
    }

    /** So many percent took no longer; 0 if there was none. */
    public long percentile(double percent) {
        if (!isSorted) {
            Arrays.sort(nanos, 0, count);
            isSorted = true;
        }
        return count == 0 ? 0 : nanos[(int) Math.min(count - 1, count * percent / PERCENT)];
    }
}
