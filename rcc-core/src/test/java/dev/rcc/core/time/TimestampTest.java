package dev.rcc.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.testing.Seeds;
import org.junit.jupiter.api.Test;

class TimestampTest {
    private static final long LAST_CLOCK = 70_368_744_177_663L;

    @Test
    void shouldKeepEachPartAtItsLimitsAndLeaveItsNeighboursAlone() {
        assertParts(1, 0, 0);
        assertParts(LAST_CLOCK, 0, 0);
        assertParts(1, 255, 0);
        assertParts(1, 0, 1023);
        assertParts(LAST_CLOCK, 255, 1023);
        assertThat(Timestamp.of(1, 0, 0)).isEqualTo(1L << 18);
        assertThat(Timestamp.of(LAST_CLOCK, 255, 1023)).isEqualTo(-1L);
    }

    @Test
    void shouldRefuseAPartThatDoesNotFitWithItsValueAndRange() {
        assertRefused(0, 0, 0, "clock 0 (1 to 70368744177663)");
        assertRefused(-1, 0, 0, "clock -1 (1 to");
        assertRefused(LAST_CLOCK + 1, 0, 0, "clock 70368744177664 (1 to 70368744177663)");
        assertRefused(1, 256, 0, "node 256 (0 to 255)");
        assertRefused(1, -1, 0, "node -1 (0 to 255)");
        assertRefused(1, 0, 1024, "coroutine 1024 (0 to 1023)");
        assertRefused(1, 0, -1, "coroutine -1 (0 to 1023)");
    }

    @Test
    void shouldOrderByClockThenNodeThenCoroutineAcrossTheSignBit() {
        long[] ascending = {
            Timestamp.NONE,
            Timestamp.of(1, 0, 0),
            Timestamp.of(1, 0, 1023),
            Timestamp.of(1, 1, 0),
            Timestamp.of(2, 0, 0),
            Timestamp.of(1L << 44, 255, 1023),
            Timestamp.of(1L << 45, 0, 0),
            Timestamp.of(LAST_CLOCK, 255, 1023)
        };
        for (int i = 0; i < ascending.length; i++) {
            for (int j = 0; j < ascending.length; j++) {
                assertThat(Timestamp.isBefore(ascending[i], ascending[j])).isEqualTo(i < j);
                assertThat(Timestamp.max(ascending[i], ascending[j])).isEqualTo(ascending[Math.max(i, j)]);
            }
        }
    }

    @Test
    void shouldOrderLikeItsParts() {
        Seeds.forEach(200, random -> {
            long clockA = 1 + random.nextLong(Timestamp.MAX_CLOCK);
            long clockB = random.nextBoolean() ? clockA : 1 + random.nextLong(Timestamp.MAX_CLOCK);
            int nodeA = random.nextInt(256);
            int nodeB = random.nextBoolean() ? nodeA : random.nextInt(256);
            int coroutineA = random.nextInt(1024);
            int coroutineB = random.nextInt(1024);
            boolean before =
                    clockA != clockB ? clockA < clockB : nodeA != nodeB ? nodeA < nodeB : coroutineA < coroutineB;
            long a = Timestamp.of(clockA, nodeA, coroutineA);
            long b = Timestamp.of(clockB, nodeB, coroutineB);
            assertThat(Timestamp.isBefore(a, b)).isEqualTo(before);
        });
    }

    @Test
    void shouldBeGreaterThanAnySmallNumberThatSharesItsWord() {
        assertThat(Timestamp.of(1, 0, 0)).isGreaterThan(Timestamp.MAX_COROUTINE);
    }

    @Test
    void shouldPrintForPeople() {
        assertThat(Timestamp.toString(Timestamp.of(77, 3, 12))).isEqualTo("77@3.12");
    }

    private static void assertParts(long clock, int node, int coroutine) {
        long timestamp = Timestamp.of(clock, node, coroutine);
        assertThat(Timestamp.clock(timestamp)).isEqualTo(clock);
        assertThat(Timestamp.node(timestamp)).isEqualTo(node);
        assertThat(Timestamp.coroutine(timestamp)).isEqualTo(coroutine);
    }

    private static void assertRefused(long clock, int node, int coroutine, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timestamp.of(clock, node, coroutine))
                .withMessageContaining(message);
    }
}
