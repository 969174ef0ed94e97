package dev.rcc.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.FakeWorker;
import org.junit.jupiter.api.Test;

class WallClockTest {
    private static final long BIRTH = 1_700_000_000_000_000_000L;

    private final FakeWorker worker = new FakeWorker(7);
    private final ClusterClock clock = new WallClock(worker, BIRTH);

    @Test
    void shouldCountFromTheClustersBirth() {
        worker.wallNanos = BIRTH + 1_234;
        assertThat(clock.nanos()).isEqualTo(1_234);
        worker.wallNanos = BIRTH - 5;
        assertThat(clock.nanos()).isEqualTo(-5);
    }

    @Test
    void shouldNotClaimToBeSynchronised() {
        assertThat(clock.errorNanos()).isEqualTo(ClusterClock.NO_BOUND);
        assertThat(clock.state().isSynchronised()).isFalse();
        assertThat(clock.state().reason()).contains("wall clock");
    }
}
