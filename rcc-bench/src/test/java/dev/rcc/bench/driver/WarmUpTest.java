package dev.rcc.bench.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmUpTest {
    private long committed;
    private long compileMillis = 90_000; // of earlier runs of the same processes
    private double seconds;

    private WarmUp warmUp(double least, double most) {
        return new WarmUp(new BenchConfig.Times(least, most, 1));
    }

    /** Lets a window pass at so many transactions a second. */
    private boolean window(WarmUp warmUp, double perSecond) {
        return window(warmUp, perSecond, 0);
    }

    /** Lets a window pass in which the compilers work for so many milliseconds, too. */
    private boolean window(WarmUp warmUp, double perSecond, int compiling) {
        seconds += WarmUp.WINDOW_SECONDS;
        committed += (long) (perSecond * WarmUp.WINDOW_SECONDS);
        compileMillis += compiling;
        return warmUp.look(seconds, new WarmUp.Progress(committed, compileMillis));
    }

    @Test
    void shouldEndWhenThroughputIsSteady() {
        WarmUp warmUp = warmUp(0, 100);
        double perSecond = 100_000;
        for (int i = 0; i < 20; i++, perSecond *= 1.1) {
            assertThat(window(warmUp, perSecond)).as("it grows, window %d", i).isFalse();
        }
        int more = 1;
        while (!window(warmUp, perSecond)) {
            more++;
        }
        assertThat(more).as("as many as are looked at, and not much before").isBetween(6, 8);
        assertThat(warmUp.end()).isEqualTo(WarmUp.End.STEADY);
    }

    @Test
    void shouldNotTakeASlowdownForSteady() {
        WarmUp warmUp = warmUp(0, 100);
        double perSecond = 1_000_000;
        for (int i = 0; i < 20; i++, perSecond *= 0.95) {
            assertThat(window(warmUp, perSecond)).isFalse();
        }
    }

    @Test
    void shouldEndAsNotSteadyAfterTheLongestTime() {
        WarmUp warmUp = warmUp(0, 10);
        double perSecond = 1_000;
        int windows = 1;
        while (!window(warmUp, perSecond)) {
            perSecond *= 1.2;
            windows++;
        }
        assertThat(windows).isEqualTo((int) (10 / WarmUp.WINDOW_SECONDS));
        assertThat(warmUp.end()).isEqualTo(WarmUp.End.NOT_STEADY);
    }

    // Goal: throughput that is steady while the compilers take their share of the processors is not that of compiled
    // code.
    @Test
    void shouldGoOnWhileTheCompilersWork() {
        WarmUp warmUp = warmUp(0, 100);
        for (int i = 0; i < 20; i++) {
            assertThat(window(warmUp, 100_000, 400))
                    .as("they work, window %d", i)
                    .isFalse();
        }
        int more = 1;
        while (!window(warmUp, 100_000, 10)) {
            more++;
        }
        assertThat(more).as("as many as are looked at").isEqualTo(3);
        assertThat(warmUp.end()).isEqualTo(WarmUp.End.STEADY);
    }

    // Method: a compiler counts a long compilation when it has ended, all in one window.
    @Test
    void shouldEndWhileTheCompilersRarelyWork() {
        WarmUp warmUp = warmUp(0, 100);
        int windows = 1;
        while (!window(warmUp, 100_000, windows % 4 == 0 ? 450 : 0)) {
            windows++;
        }
        assertThat(windows).isEqualTo(8);
    }

    @Test
    void shouldEndAsCompilingAfterTheLongestTime() {
        WarmUp warmUp = warmUp(0, 10);
        int windows = 1;
        while (!window(warmUp, 100_000, 500)) {
            windows++;
        }
        assertThat(windows).isEqualTo((int) (10 / WarmUp.WINDOW_SECONDS));
        assertThat(warmUp.end()).isEqualTo(WarmUp.End.COMPILING);
    }

    @Test
    void shouldTakeTheLeastTimeHoweverSteady() {
        WarmUp warmUp = warmUp(8, 20);
        int windows = 1;
        while (!window(warmUp, 1_000)) {
            windows++;
        }
        assertThat(windows).isEqualTo((int) (8 / WarmUp.WINDOW_SECONDS));
        assertThat(warmUp.end()).isEqualTo(WarmUp.End.STEADY);
    }

    @Test
    void shouldLookAtMoreWhereFewTransactionsCommit() {
        WarmUp warmUp = warmUp(0, 100);
        for (double perSecond = 100; perSecond < 200; perSecond *= 1.01) {
            assertThat(window(warmUp, perSecond)).as("1 %% more in each window").isFalse();
        }
        int more = 1;
        while (!window(warmUp, 200)) {
            more++;
        }
        assertThat(more * WarmUp.WINDOW_SECONDS * 200)
                .as("commits in both halves")
                .isBetween(1_000.0, 2_500.0);
        assertThat(warmUp.end()).isEqualTo(WarmUp.End.STEADY);
    }

    @Test
    void shouldNotTakeStandingStillForSteady() {
        WarmUp warmUp = warmUp(0, 100);
        for (int i = 0; i < 30; i++) {
            assertThat(window(warmUp, 0)).isFalse();
        }
    }

    @Test
    void shouldTakeTheTimeThatIsFixedAndReadNoProgress() throws InterruptedException {
        WarmUp warmUp = warmUp(3, 3);
        double took = warmUp.run(() -> (long) (seconds * 1e9), waited -> seconds += waited, () -> {
            throw new AssertionError("read");
        });
        assertThat(took).isEqualTo(3);
        assertThat(warmUp.end()).isEqualTo(WarmUp.End.FIXED);
    }
}
