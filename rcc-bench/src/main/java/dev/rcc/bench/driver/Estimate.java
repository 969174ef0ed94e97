package dev.rcc.bench.driver;

import java.util.Arrays;

/**
 * The estimate of throughput from several runs of one benchmark: the median, the spread, and the mean's interval of 95 % confidence. The interval
 * uses Student's t, as few runs have no better known distribution (Jain, The Art of Computer Systems Performance Analysis, 13.2).
 *
 * @param runs the number of runs
 * @param median the middle value, or the mean of the two in the middle
 * @param min the least
 * @param max the greatest
 * @param low the start of the interval; negative infinity for one run, which gives no interval
 * @param high the end of the interval; infinity for one run
 */
public record Estimate(int runs, double median, double min, double max, double low, double high) {
    /** The quantile 0.975 of Student's t, by degrees of freedom from 1. */
    private static final double[] T = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
        2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    /** The estimate of these runs, at least one. */
    public static Estimate of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        double median = middle(sorted);
        if (n == 1) {
            return new Estimate(1, median, median, median, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        }
        double mean = Arrays.stream(sorted).average().orElseThrow();
        double squares =
                Arrays.stream(sorted).map(each -> (each - mean) * (each - mean)).sum();
        double half = T[Math.min(n - 1, T.length) - 1] * Math.sqrt(squares / (n - 1) / n);
        return new Estimate(n, median, sorted[0], sorted[n - 1], mean - half, mean + half);
    }

    /** The middle value, or the mean of the two in the middle; of at least one value. */
    public static double medianOf(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return middle(sorted);
    }

    private static double middle(double[] sorted) {
        int n = sorted.length;
        return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    }

    /** Whether there are enough runs for an interval of the mean. */
    public boolean hasInterval() {
        return runs > 1;
    }

    /** Whether all of the interval is above all of another one's. */
    public boolean isAbove(Estimate other) {
        return low > other.high;
    }

    /** From the least to the greatest, as a share of the median. */
    public double spread() {
        return median == 0 ? 0 : (max - min) / median;
    }
}
