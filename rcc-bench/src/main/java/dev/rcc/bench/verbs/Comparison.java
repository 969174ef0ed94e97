package dev.rcc.bench.verbs;

import dev.rcc.bench.driver.Estimate;
import java.util.List;

/**
 * The figures of one test and size: perftest's and RCC's, in the order in which they were measured. Their medians are
 * compared, as single figures suffer from other load on the machine.
 *
 * @param test the test
 * @param bytes size of the messages
 * @param iterations number of messages of a measurement
 * @param perftest perftest's figures
 * @param rcc RCC's figures, as many
 */
public record Comparison(VerbsTest test, int bytes, int iterations, List<Double> perftest, List<Double> rcc) {
    /** Takes copies of the lists. */
    public Comparison {
        perftest = List.copyOf(perftest);
        rcc = List.copyOf(rcc);
        if (perftest.isEmpty() || perftest.size() != rcc.size()) {
            throw new IllegalArgumentException(
                    "each contender must have as many figures, got " + perftest.size() + " and " + rcc.size());
        }
    }

    /** The median of perftest's figures. */
    public double perftestMedian() {
        return median(perftest);
    }

    /** The median of RCC's figures. */
    public double rccMedian() {
        return median(rcc);
    }

    /** RCC's median in proportion to perftest's. */
    public double ratio() {
        return rccMedian() / perftestMedian();
    }

    /** Whether the goal is met. */
    public boolean isGoalMet() {
        return test.measure().isMetBy(ratio());
    }

    private static double median(List<Double> figures) {
        return Estimate.medianOf(
                figures.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
