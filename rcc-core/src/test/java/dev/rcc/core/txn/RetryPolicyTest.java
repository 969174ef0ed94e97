package dev.rcc.core.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.Seeds;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
    private final FakeWorker worker = new FakeWorker(0);

    @Test
    void shouldDrawBackoffsFromZeroToTheirLimitWhichDoublesUpToTheMaximum() {
        RetryPolicy policy = new RetryPolicy(100, 1000, 6000);
        long[] limits = {1000, 2000, 4000, 6000, 6000, 6000};
        for (int attempt = 0; attempt < limits.length; attempt++) {
            assertBackoffLimit(policy, attempt, limits[attempt]);
        }
        assertBackoffLimit(policy, 63, 6000);
        assertBackoffLimit(new RetryPolicy(1, 3, 7), 1, 6);
        assertBackoffLimit(new RetryPolicy(1, 3, 7), 2, 7);
        assertBackoffLimit(new RetryPolicy(1, 0, 5), 40, 0);
        assertBackoffLimit(RetryPolicy.NEVER, 0, 0);
        assertBackoffLimit(new RetryPolicy(1, 1, Long.MAX_VALUE), 31, 1L << 31);
        assertBackoffLimit(new RetryPolicy(1, 1, Long.MAX_VALUE), 62, 1L << 62);
        assertBackoffLimit(new RetryPolicy(1, Long.MAX_VALUE, Long.MAX_VALUE), 0, Long.MAX_VALUE);
        assertBackoffLimit(RetryPolicy.DEFAULT, 0, 4_000);
        assertBackoffLimit(RetryPolicy.DEFAULT, 60, 1_000_000);
    }

    // Goal: transactions whose attempts take longer than the longest wait do not abort each other for ever.
    @Test
    void shouldRaiseTheMaximumInALivelock() {
        RetryPolicy policy = new RetryPolicy(100, 1000, 6000);
        assertBackoffLimit(policy, 64, 12_000);
        assertBackoffLimit(policy, 127, 12_000);
        assertBackoffLimit(policy, 128, 24_000);
        assertBackoffLimit(policy, Integer.MAX_VALUE, 24_000);
        assertBackoffLimit(new RetryPolicy(1, 0, 0), 128, 0);
        assertBackoffLimit(new RetryPolicy(1, 1, Long.MAX_VALUE), 128, 1L << 62);
    }

    @Test
    void shouldDrawEveryBackoffUpToTheLimit() {
        Set<Long> drawn = new HashSet<>();
        Seeds.forEach(200, random -> {
            worker.randoms.add(random.nextLong());
            drawn.add(new RetryPolicy(2, 3, 3).backoffNanos(0, worker));
        });
        assertThat(drawn).containsExactlyInAnyOrder(0L, 1L, 2L, 3L);
    }

    @Test
    void shouldRefuseAnImpossiblePolicyAndReportItsValues() {
        for (long[] bad : new long[][] {{0, 1, 1}, {-1, 1, 1}, {1, -1, 1}, {1, 2, 1}}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new RetryPolicy((int) bad[0], bad[1], bad[2]))
                    .withMessageEndingWith("got " + bad[0] + ", " + bad[1] + " ns, " + bad[2] + " ns");
        }
    }

    private void assertBackoffLimit(RetryPolicy policy, int attempt, long limit) {
        worker.randoms.add(-1L);
        worker.randoms.add(0L);
        assertThat(policy.backoffNanos(attempt, worker)).isEqualTo(limit);
        assertThat(policy.backoffNanos(attempt, worker)).isZero();
        worker.randoms.clear();
    }
}
