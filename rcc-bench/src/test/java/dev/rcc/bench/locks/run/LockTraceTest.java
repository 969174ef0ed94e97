package dev.rcc.bench.locks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rcc.protocols.locks.LockMode;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LockTraceTest {
    private static final int DRAWS = 100_000;
    private final SplittableRandom random = new SplittableRandom(7);
    private final LockTrace.Wish wish = new LockTrace.Wish();

    // Goal: the law of the microbenchmark. Method: with exponent 2 half of the draws are of the first lock, a sixth of
    // the second, at each node alike.
    @Test
    void shouldDrawEachNodesLocksByThePowerLaw() {
        int nodes = 4;
        MicroTrace trace = new MicroTrace(nodes, 1_000_000, 2, 0.25);
        int[] perNode = new int[nodes];
        int[] perRank = new int[2];
        int shared = 0;
        for (int i = 0; i < DRAWS; i++) {
            trace.next(0, random, wish);
            long lock = wish.lock(0);
            perNode[(int) (lock % nodes)]++;
            if (lock / nodes < perRank.length) {
                perRank[(int) (lock / nodes)]++;
            }
            shared += wish.mode(0) == LockMode.SHARED ? 1 : 0;
        }
        assertThat(wish.size()).isOne();
        assertThat(IntStream.of(perNode).boxed())
                .allSatisfy(count -> assertThat((double) count / DRAWS).isCloseTo(0.25, within(0.01)));
        assertThat((double) perRank[0] / DRAWS).isCloseTo(1 / 2.0, within(0.01));
        assertThat((double) perRank[1] / DRAWS).isCloseTo(1 / 6.0, within(0.01));
        assertThat((double) shared / DRAWS).isCloseTo(0.25, within(0.01));
    }

    @Test
    void shouldDrawOnlyExistingLocks() {
        for (double alpha : new double[] {1.01, 1.5, 3, 10}) {
            MicroTrace trace = new MicroTrace(2, 10, alpha, 0);
            assertThat(IntStream.range(0, DRAWS)
                            .mapToLong(i -> {
                                trace.next(0, random, wish);
                                return wish.lock(0);
                            })
                            .summaryStatistics())
                    .satisfies(locks -> {
                        assertThat(locks.getMin()).isZero();
                        assertThat(locks.getMax()).isLessThan(trace.locks());
                    });
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new MicroTrace(2, 10, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new MicroTrace(0, 10, 2, 0));
    }

    // Goal: transactions as DSLR's authors draw them. Method: a payment is known by the warehouse's exclusive lock, a
    // new order by the shared one.
    @Test
    void shouldDrawTpccsMixWithOneLineAnOrder() {
        ShortTpccTrace trace = new ShortTpccTrace(4, 2, 0);
        int payments = 0;
        int newOrders = 0;
        long locks = 0;
        for (int i = 0; i < DRAWS; i++) {
            trace.next(1, random, wish);
            boolean isAtWarehouse = isWarehouse(trace, wish.lock(0));
            payments += isAtWarehouse && wish.mode(0) == LockMode.EXCLUSIVE ? 1 : 0;
            newOrders += isAtWarehouse && wish.mode(0) == LockMode.SHARED ? 1 : 0;
            if (isAtWarehouse && wish.mode(0) == LockMode.SHARED) {
                assertThat(wish.size()).isEqualTo(8);
            }
            assertThat(wish.lock(0) % 4).isEqualTo(1);
            assertThat(wish.isLong()).isFalse();
            locks += wish.size();
        }
        assertThat((double) newOrders / DRAWS).isCloseTo(0.45, within(0.01));
        assertThat((double) payments / DRAWS).isCloseTo(0.43, within(0.01));
        // 0.45 * 8 + 0.43 * (0.6 * 6 + 0.4 * 4) + 0.04 * (0.4 * 5 + 0.6 * 3) + 0.04 * 4 + 0.04 * 3
        assertThat((double) locks / DRAWS).isCloseTo(6.27, within(0.05));
    }

    /** The first lock of a warehouse. */
    private static boolean isWarehouse(ShortTpccTrace trace, long lock) {
        long each = trace.locks() / (4 * 2);
        return lock / 4 % each == 0;
    }

    @Test
    void shouldDrawScansThatTakeLongAndShareTheirTable() {
        ShortTpccTrace trace = new ShortTpccTrace(2, 1, 0.1);
        int scans = 0;
        int withTable = 0;
        for (int i = 0; i < DRAWS; i++) {
            trace.next(0, random, wish);
            if (wish.isLong()) {
                scans++;
                assertThat(wish.size()).isOne();
                assertThat(wish.mode(0)).isEqualTo(LockMode.SHARED);
            } else {
                withTable += IntStream.range(0, wish.size()).anyMatch(k -> wish.lock(k) < 4) ? 1 : 0;
            }
        }
        assertThat((double) scans / DRAWS).isCloseTo(0.1, within(0.01));
        assertThat((double) withTable / DRAWS).isCloseTo(0.9 * 0.96, within(0.01)); // all but stock-level
        assertThatIllegalArgumentException().isThrownBy(() -> new ShortTpccTrace(1, 1, 1.1));
    }

    @Test
    void shouldUseWarehousesOfOtherNodesOnANodeWithout() {
        ShortTpccTrace trace = new ShortTpccTrace(1, 1, 0);
        trace.next(31, random, wish);
        assertThat(wish.lock(0)).isLessThan(trace.locks());
    }

    @Test
    void shouldPutLocksInOrderWithTheirModes() {
        wish.clear();
        wish.add(30, LockMode.EXCLUSIVE);
        wish.add(10, LockMode.SHARED);
        wish.add(20, LockMode.EXCLUSIVE);
        wish.add(10, LockMode.SHARED);
        wish.sort();
        assertThat(IntStream.range(0, wish.size()).mapToLong(wish::lock)).containsExactly(10L, 20L, 30L);
        assertThat(wish.mode(0)).isEqualTo(LockMode.SHARED);
        assertThat(wish.mode(2)).isEqualTo(LockMode.EXCLUSIVE);
    }
}
