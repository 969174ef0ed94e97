package dev.rcc.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentileTest {
    // The values are their own ranks.
    @ParameterizedTest(name = "{1} % of {0} values")
    @CsvSource({
        "1, 0, 1",
        "1, 50, 1",
        "1, 100, 1",
        "2, 50, 1",
        "2, 50.1, 2",
        "3, 50, 2",
        "4, 50, 2",
        "4, 75, 3",
        "10, 99, 10",
        "100, 0, 1",
        "100, 1, 1",
        "100, 99, 99",
        "100, 99.9, 100",
        "1000, 99.9, 999",
        "1000, 99.91, 1000",
        "1000, 100, 1000"
    })
    void shouldBeTheLowestValueThatSoManyPercentDoNotExceed(int count, double percent, long rank) {
        long[] descending =
                LongStream.rangeClosed(1, count).map(value -> count + 1 - value).toArray();
        assertThat(Percentile.of(descending, percent)).isEqualTo(rank);
    }

    @Test
    void shouldAgreeWithTheHistogram() {
        SplittableRandom random = new SplittableRandom(7);
        for (int count = 1; count <= 200; count++) {
            long[] values = random.longs(count, 1, 1000).toArray();
            Histogram histogram = new Histogram(1000, 3);
            LongStream.of(values).forEach(histogram::recordValue);
            for (double percent : new double[] {0.1, 1, 10, 33.3, 50, 90, 95, 99, 99.9, 100}) {
                assertThat(Percentile.of(values, percent))
                        .as("%s %% of %s values", percent, count)
                        .isEqualTo(histogram.getValueAtPercentile(percent));
            }
        }
    }

    @Test
    void shouldBeZeroWithoutValuesAndLeaveTheValuesInTheirOrder() {
        assertThat(Percentile.of(new long[0], 50)).isZero();
        long[] values = {3, 1, 2};
        assertThat(Percentile.of(values, 100)).isEqualTo(3);
        assertThat(values).containsExactly(3, 1, 2);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 100.1, Double.NaN})
    void shouldRefuseWhatIsNoPercentage(double percent) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Percentile.of(new long[] {1}, percent))
                .withMessageContaining("got " + percent + ", allowed: 0 to 100");
    }
}
