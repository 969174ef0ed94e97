package dev.rcc.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AcknowledgementsTest {
    private static Acknowledgements at(long... times) {
        Acknowledgements told = new Acknowledgements();
        for (long time : times) {
            told.add(time);
        }
        return told;
    }

    @Test
    void shouldMeasureFromTheFaultToTheNextWhereNothingElseIsLonger() {
        assertThat(at(10, 95, 180, 185).longestGap(100, 190, 200)).isEqualTo(80);
    }

    @Test
    void shouldCountAGapThatBeginsBeforeTheEndOfTheSpanAndEndsLater() {
        assertThat(at(10, 110, 500).longestGap(100, 200, 600)).isEqualTo(390);
    }

    @Test
    void shouldLeaveOutGapsThatBeginLater() {
        assertThat(at(10, 110, 150, 210, 500).longestGap(100, 200, 600)).isEqualTo(60);
    }

    @Test
    void shouldLastUntilTheEndWhereThereIsNone() {
        assertThat(at(10).longestGap(100, 200, 600)).isEqualTo(500);
        assertThat(at().longestGap(100, 200, 600)).isEqualTo(500);
    }

    @Test
    void shouldKeepAll() {
        Acknowledgements told = new Acknowledgements();
        for (int i = 0; i < 10_000; i++) {
            told.add(i);
        }
        assertThat(told.count()).isEqualTo(10_000);
        assertThat(told.longestGap(0, 9_999, 9_999)).isEqualTo(1);
    }
}
