package dev.rcc.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.Seeds;
import org.junit.jupiter.api.Test;

class TimestampClockTest {
    private static final long BIRTH = 1_700_000_000_000_000_000L;

    private final FakeWorker worker = new FakeWorker(7);
    private final TimestampClock clock = new TimestampClock(new WallClock(worker, BIRTH), worker.node(), 42);

    @Test
    void shouldFollowTheNodesClockAndNameItsPlace() {
        worker.wallNanos = BIRTH + 1000 * Timestamp.TICK_NANOS;
        assertThat(clock.next()).isEqualTo(Timestamp.of(1000, 7, 42));
        worker.wallNanos = BIRTH + 5001 * Timestamp.TICK_NANOS - 1;
        assertThat(clock.next()).isEqualTo(Timestamp.of(5000, 7, 42));
    }

    @Test
    void shouldRunAheadWhenSeveralAreDrawnInATick() {
        worker.wallNanos = BIRTH + 10 * Timestamp.TICK_NANOS;
        assertThat(Timestamp.clock(clock.next())).isEqualTo(10);
        assertThat(Timestamp.clock(clock.next())).isEqualTo(11);
        worker.wallNanos += Timestamp.TICK_NANOS;
        assertThat(Timestamp.clock(clock.next())).isEqualTo(12);
    }

    @Test
    void shouldStartAtOneBeforeTheClustersBirth() {
        worker.wallNanos = BIRTH - 1_000_000;
        assertThat(Timestamp.clock(clock.next())).isEqualTo(1);
    }

    @Test
    void shouldIncreaseStrictlyEvenWhenTheClockGoesBack() {
        Seeds.forEach(50, random -> {
            TimestampClock wild = new TimestampClock(new WallClock(worker, BIRTH), worker.node(), 1);
            worker.wallNanos = BIRTH;
            long last = Timestamp.NONE;
            for (int i = 0; i < 200; i++) {
                worker.wallNanos += random.nextLong(-100_000, 100_000);
                if (random.nextInt(10) == 0) {
                    long met = Timestamp.of(Timestamp.clock(last) + random.nextInt(1, 50), 255, 1023);
                    wild.observe(met);
                    last = met;
                }
                long next = wild.next();
                assertThat(Timestamp.isBefore(last, next)).isTrue();
                last = next;
            }
        });
    }

    @Test
    void shouldNotMoveForATimestampOfThePast() {
        worker.wallNanos = BIRTH + 100 * Timestamp.TICK_NANOS;
        long first = clock.next();
        clock.observe(Timestamp.of(50, 255, 1023));
        clock.observe(Timestamp.NONE);
        assertThat(Timestamp.clock(clock.next())).isEqualTo(Timestamp.clock(first) + 1);
    }

    @Test
    void shouldLastForItsLife() {
        worker.wallNanos = BIRTH + Timestamp.LIFE_NANOS;
        assertThat(Timestamp.clock(clock.next())).isEqualTo(Timestamp.MAX_CLOCK);
        worker.wallNanos += Timestamp.TICK_NANOS;
        assertThatIllegalStateException().isThrownBy(clock::next).withMessageContaining("has run out");
    }

    @Test
    void shouldRefuseForGoodWhenItHasRunOut() {
        clock.observe(Timestamp.of(Timestamp.MAX_CLOCK - 1, 0, 0));
        assertThat(Timestamp.clock(clock.next())).isEqualTo(Timestamp.MAX_CLOCK);
        for (int i = 0; i < 3; i++) {
            assertThatIllegalStateException().isThrownBy(clock::next).withMessageContaining("70368744177663 ticks");
        }
    }
}
