package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.testing.ZonedPlacement;
import dev.rcc.core.time.Timestamp;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecoveryOrderTest {
    @Test
    void shouldBeTheSameFromItsBytes() {
        for (Placement home : List.of(new RingPlacement(3, 2), new ZonedPlacement(3, 1, 2))) {
            for (RecoveryOrder.Step step : RecoveryOrder.Step.values()) {
                RecoveryOrder order = new RecoveryOrder(
                        4711,
                        7,
                        3,
                        12,
                        step,
                        BitSet.valueOf(new long[] {5}),
                        home,
                        home.without(1),
                        -4,
                        2,
                        Set.of(1L, Long.MIN_VALUE));
                assertThat(RecoveryOrder.of(order.toBytes(), home)).isEqualTo(order);
            }
        }
    }

    @Test
    void shouldComeAfterEarlierTermsAndRounds() {
        Placement home = new RingPlacement(3, 2);
        RecoveryOrder order =
                new RecoveryOrder(1, 7, 3, 12, RecoveryOrder.Step.FREEZE, new BitSet(), home, home, 0, 0, Set.of());
        assertThat(order.isAfter(6, 9)).isTrue();
        assertThat(order.isAfter(7, 2)).isTrue();
        assertThat(order.isAfter(7, 3)).isFalse();
        assertThat(order.isAfter(8, 0)).isFalse();
    }

    // Goal: a backup's report of lost coordinators decides which transactions have committed; nothing of it
    // may change on its way.
    @Test
    void shouldDecodeReportsUnchangedFromTheirBytes() {
        List<LoggedTransaction> logged = List.of(
                new LoggedTransaction(11, false, true, 2, 4096, List.of(0, 2)),
                new LoggedTransaction(12, true, false, 3, 64, List.of()));
        long[] ids = new long[Timestamp.MAX_COROUTINE + 1];
        ids[Timestamp.MAX_COROUTINE] = 99;
        LogReport report = RecoveryOrder.report(RecoveryOrder.toBytes(new LogReport(logged, Map.of(3, ids))));
        assertThat(report.logged()).isEqualTo(logged);
        assertThat(report.replayedId(3, Timestamp.MAX_COROUTINE)).isEqualTo(99);
        assertThat(report.replayedId(3, 0)).isEqualTo(Timestamp.NONE);
        assertThat(report.replayedId(2, 0)).isEqualTo(Timestamp.NONE);
    }

    @Test
    void shouldRefuseEveryTruncation() {
        Placement home = new RingPlacement(3, 2);
        byte[] order = new RecoveryOrder(
                        1, 7, 3, 12, RecoveryOrder.Step.FREEZE, new BitSet(), home, home, 0, 0, Set.of(5L, 6L))
                .toBytes();
        for (int length = 0; length < order.length; length++) {
            byte[] truncated = Arrays.copyOf(order, length);
            assertThatThrownBy(() -> RecoveryOrder.of(truncated, home))
                    .as("%s of %s bytes", length, order.length)
                    .isInstanceOf(RuntimeException.class);
        }
        byte[] report = RecoveryOrder.toBytes(new LogReport(
                List.of(new LoggedTransaction(11, false, true, 2, 4096, List.of(0, 2))),
                Map.of(3, new long[Timestamp.MAX_COROUTINE + 1])));
        for (int length = 0; length < report.length; length++) {
            byte[] truncated = Arrays.copyOf(report, length);
            assertThatThrownBy(() -> RecoveryOrder.report(truncated))
                    .as("%s of %s bytes", length, report.length)
                    .isInstanceOf(UncheckedIOException.class);
        }
    }
}
