package dev.rcc.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyChooserTest {
    private static final long SEED = 20_260_101;
    private static final int DRAWS = 200_000;

    @Test
    void shouldDrawUniformlyWithoutAHotProbability() {
        long[] counts = draw(new HotArea(100, 1, 0), 100);
        for (long count : counts) {
            assertThat(count).as("seed %d", SEED).isCloseTo(DRAWS / 100, within(300L));
        }
    }

    // One in ten goes to the hot area; the others go anywhere, also there.
    @Test
    void shouldDrawFromTheHotAreaAsOftenAsAsked() {
        long[] counts = draw(new HotArea(1_000, 10, 0.1), 1_000);
        long hot = 0;
        for (int i = 0; i < 10; i++) {
            hot += counts[i];
        }
        assertThat((double) hot / DRAWS).as("seed %d", SEED).isCloseTo(0.1 + 0.9 * 0.01, within(0.005));
    }

    @Test
    void shouldDrawOnlyHotKeysWhenAllAccessesAreHot() {
        long[] counts = draw(new HotArea(1_000, 2, 1), 1_000);
        assertThat(counts[0] + counts[1]).isEqualTo(DRAWS);
    }

    @Test
    void shouldFollowZipfsLaw() {
        int keys = 1_000;
        double theta = 0.9;
        long[] counts = draw(new Zipfian(keys, theta), keys);
        double zeta = 0;
        for (int i = 1; i <= keys; i++) {
            zeta += 1 / Math.pow(i, theta);
        }
        // Exact for the first two keys; the method approximates the others, so they are compared in ranges.
        assertThat((double) counts[0] / DRAWS).as("seed %d", SEED).isCloseTo(1 / zeta, within(0.005));
        assertThat((double) counts[1] / DRAWS)
                .as("seed %d", SEED)
                .isCloseTo(1 / Math.pow(2, theta) / zeta, within(0.005));
        assertThat((double) sum(counts, 0, 100) / DRAWS)
                .as("seed %d", SEED)
                .isCloseTo(expected(0, 100, theta) / zeta, within(0.03));
        assertThat((double) sum(counts, 500, keys) / DRAWS)
                .as("seed %d", SEED)
                .isCloseTo(expected(500, keys, theta) / zeta, within(0.03));
    }

    @Test
    void shouldDrawUniformlyByZipfsLawWithoutSkew() {
        long[] counts = draw(new Zipfian(100, 0), 100);
        for (long count : counts) {
            assertThat(count).as("seed %d", SEED).isCloseTo(DRAWS / 100, within(300L));
        }
    }

    @Test
    void shouldManageTinyZipfianDistributions() {
        for (int keys = 1; keys <= 3; keys++) {
            long[] counts = draw(new Zipfian(keys, 0.99), keys);
            assertThat(sum(counts, 0, keys)).isEqualTo(DRAWS);
            assertThat(counts).as("every key").doesNotContain(0L);
        }
    }

    @Test
    void shouldRejectInvalidDistributions() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Zipfian(0, 0.5));
        assertThatIllegalArgumentException().isThrownBy(() -> new Zipfian(10, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new HotArea(10, 0, 0.5));
        assertThatIllegalArgumentException().isThrownBy(() -> new HotArea(10, 11, 0.5));
        assertThatIllegalArgumentException().isThrownBy(() -> new HotArea(10, 1, 1.1));
    }

    @Test
    void shouldLeaveRoomForUnevenPartitions() {
        assertThat(PartitionCapacity.of(100, 1)).isEqualTo(100);
        assertThat(PartitionCapacity.of(10, 3)).isBetween(4L, 10L);
        assertThat(PartitionCapacity.of(3_000_000, 3)).isBetween(1_005_000L, 1_010_000L);
    }

    private static long[] draw(KeyChooser chooser, int keys) {
        SplittableRandom random = new SplittableRandom(SEED);
        long[] counts = new long[keys];
        for (int i = 0; i < DRAWS; i++) {
            counts[(int) chooser.next(random)]++;
        }
        return counts;
    }

    private static long sum(long[] counts, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += counts[i];
        }
        return sum;
    }

    private static double expected(int from, int to, double theta) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += 1 / Math.pow(i + 1, theta);
        }
        return sum;
    }
}
