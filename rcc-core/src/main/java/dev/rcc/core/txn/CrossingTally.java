package dev.rcc.core.txn;

import dev.rcc.core.worker.Crossings.Measure;
import java.util.Arrays;

/** Sums and maxima of counts of messages between zones. Used on its worker only. */
public final class CrossingTally {
    private final long[] sums = new long[Measure.COUNT];
    private final long[] maxima = new long[Measure.COUNT];

    /** Nothing yet. */
    CrossingTally() {}

    /** Adds the count of one attempt. */
    void record(Measure measure, long count) {
        add(measure, count, count);
    }

    /** Adds the sum and the maximum of other attempts. */
    public void add(Measure measure, long sum, long max) {
        int i = measure.index();
        sums[i] += sum;
        maxima[i] = Math.max(maxima[i], max);
    }

    void add(CrossingTally other) {
        for (Measure measure : Measure.values()) {
            add(measure, other.sum(measure), other.max(measure));
        }
    }

    void reset() {
        Arrays.fill(sums, 0);
        Arrays.fill(maxima, 0);
    }

    /** The counts of all attempts, added up. */
    public long sum(Measure measure) {
        return sums[measure.index()];
    }

    /** The largest count of an attempt. */
    public long max(Measure measure) {
        return maxima[measure.index()];
    }
}
