package dev.rcc.bench.statistics;

import java.util.Arrays;

/**
 * Percentiles by nearest rank, as HdrHistogram has them: the smallest value that at least so many percent of the values do not exceed. Each
 * is one of the values.
 */
public final class Percentile {
    private static final int PERCENT = 100;

    private Percentile() {}

    /**
     * The percentile of some values.
     *
     * @param values in any order; they are not changed
     * @param percent from 0, the lowest value, to 100, the highest
     * @return the percentile; 0 if there are no values
     * @throws IllegalArgumentException when {@code percent} is not from 0 to 100
     */
    public static long of(long[] values, double percent) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return ofSorted(sorted, sorted.length, percent);
    }

    /**
     * As {@link #of}, of the first values of an array.
     *
     * @param sorted values in ascending order
     * @param count number of values
     */
    public static long ofSorted(long[] sorted, int count, double percent) {
        if (!(percent >= 0 && percent <= PERCENT)) {
            throw new IllegalArgumentException("percentile: got " + percent + ", allowed: 0 to 100");
        }
        if (count == 0) {
            return 0;
        }
        // Just below, so that a rounding up of the product does not end at the next rank.
        double rank = Math.ceil(Math.nextDown(percent) * count / PERCENT);
        return sorted[(int) Math.max(rank, 1) - 1];
    }
}
