package dev.rcc.bench.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class EstimateTest {
    // By hand: mean 12, squares 4 + 0 + 4 = 8, deviation 2, t for 2 degrees of freedom 4.303: 4.303 * 2 / sqrt(3) =
    // 4.969.
    @Test
    void shouldComputeTheConfidenceIntervalOfTheMean() {
        Estimate estimate = Estimate.of(14, 10, 12);
        assertThat(estimate.median()).isEqualTo(12);
        assertThat(estimate.low()).isCloseTo(12 - 4.969, within(0.001));
        assertThat(estimate.high()).isCloseTo(12 + 4.969, within(0.001));
        assertThat(estimate.spread()).isCloseTo(4.0 / 12, within(1e-9));
    }

    @Test
    void shouldTakeTheMiddleOfTwoAsMedian() {
        Estimate estimate = Estimate.of(1, 100, 3, 5);
        assertThat(estimate.median()).isEqualTo(4);
        assertThat(estimate.min()).isEqualTo(1);
        assertThat(estimate.max()).isEqualTo(100);
    }

    @Test
    void shouldHaveNoIntervalForASingleRun() {
        Estimate one = Estimate.of(7);
        assertThat(one.median()).isEqualTo(7);
        assertThat(one.hasInterval()).isFalse();
        assertThat(one.isAbove(Estimate.of(1, 1, 1))).isFalse();
        assertThat(Estimate.of(9, 9, 9).isAbove(one)).isFalse();
    }

    @Test
    void shouldBeAboveOnlyALowerEstimateWithoutOverlap() {
        assertThat(Estimate.of(100, 101, 99).isAbove(Estimate.of(50, 51, 49))).isTrue();
        assertThat(Estimate.of(50, 51, 49).isAbove(Estimate.of(100, 101, 99))).isFalse();
        assertThat(Estimate.of(100, 101, 99).isAbove(Estimate.of(50, 140, 60))).isFalse();
    }

    // Student's t falls to 1.96 with the number of runs; the interval of many must not be wider than that of few.
    @Test
    void shouldBeSurerWithMoreRuns() {
        double last = Double.POSITIVE_INFINITY;
        for (int runs = 2; runs <= 60; runs += 2) {
            Estimate estimate = Estimate.of(
                    DoubleStream.iterate(1, value -> -value).limit(runs).toArray());
            double width = estimate.high() - estimate.low();
            assertThat(width).as("%d runs", runs).isLessThan(last);
            last = width;
        }
        assertThat(last).isCloseTo(2 * 2.042 / Math.sqrt(59), within(1e-3));
    }
}
