package dev.rcc.bench.locks.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LockTallyTest {
    private final LockTally tally = new LockTally(100);

    // Goal: no transaction is left out for being slow. Method: one that began before the measured time and ended in it.
    @Test
    void shouldCountTransactionsThatEndInTheMeasuredTime() {
        tally.ended(10, 99);
        tally.ended(10, 150);
        tally.ended(100, 160);
        tally.aborted(99);
        tally.aborted(100);
        assertThat(tally.latencies().count()).isEqualTo(2);
        assertThat(tally.latencies().mean()).isEqualTo(100);
        assertThat(tally.latencies().percentile(99.9)).isEqualTo(140);
        assertThat(tally.aborts()).isOne();
    }
}
