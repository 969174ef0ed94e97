package dev.rcc.transport.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** {@link SimNic}: the time that requests take, and the requests that wait for each other. */
class SimNicTest {
    private static final Memory MEMORY = Memory.allocate(Arena.global(), 1024);
    private static final CostModel COSTS = CostModel.profile("connectx4-edr");
    private static final int MANY = 4 * COSTS.nic().qpCacheEntries();
    private static final long STATE = COSTS.nic().qpNanos(MANY);

    private static SimNic nic(int queuePairs) {
        SimNic nic = new SimNic(COSTS, () -> 0);
        nic.useQueuePairs(queuePairs);
        return nic;
    }

    @Test
    void shouldTakeLongerForBatchesOnManyQueuePairs() {
        assertThat(STATE).isPositive();
        assertThat(nic(MANY).send(0, 3, 64)).isEqualTo(nic(1).send(0, 3, 64) + STATE);
        assertThat(nic(MANY).serve(0, true)).isEqualTo(nic(1).serve(0, true) + STATE);
        assertThat(nic(MANY).serve(0, false)).isEqualTo(nic(1).serve(0, false));
    }

    @Test
    void shouldTakeAsLongForABatchThatBeginsWithAnAtomic() {
        assertThat(begin(nic(MANY), true)).isEqualTo(begin(nic(1), true) + STATE);
        assertThat(begin(nic(MANY), false)).isEqualTo(begin(nic(1), false));
    }

    @Test
    void shouldKeepTheOneQueuePairOfDatagramsAtHand() {
        SimNic many = nic(MANY);
        SimNic few = nic(1);
        for (int i = 0; i < 3; i++) {
            assertThat(many.sendDatagram(0, 64)).isEqualTo(few.sendDatagram(0, 64));
            assertThat(many.serveDatagram(0)).isEqualTo(few.serveDatagram(0));
        }
    }

    private static long begin(SimNic nic, boolean first) {
        return nic.beginAtomic(0, first, 0, MEMORY, 0);
    }

    // Goal: a request posted for a later time takes a send's time from an earlier one, which does not wait until that
    // later time.
    @Test
    void shouldSendRequestsInTheOrderOfTheirPostTimes() {
        SimNic nic = nic(1);
        long later = nic.send(10_000, 1, 0);
        long now = nic.send(0, 1, 0);
        assertThat(later).isEqualTo(10_000 + COSTS.nic().sendNanos());
        assertThat(now).isEqualTo(2 * COSTS.nic().sendNanos());
    }

    @Test
    void shouldCarryOutAtomicsOnOneWordOneAfterTheOther() {
        SimNic nic = nic(1);
        long first = nic.beginAtomic(0, false, 0, MEMORY, 8);
        long other = nic.beginAtomic(0, false, 0, MEMORY, 16);
        long second = nic.beginAtomic(0, false, 0, MEMORY, 8);
        assertThat(other - first).isLessThan(COSTS.nic().wordNanos());
        assertThat(second - first).isGreaterThan(COSTS.nic().wordNanos());
    }

    // Goal: a NIC whose units both send and serve does half as much of each.
    @Test
    void shouldShareItsTimeBetweenSendingAndServing() {
        SimNic nic = nic(1);
        long sent = 0;
        for (int i = 0; i < 100; i++) {
            sent = nic.send(0, 1, 0);
            nic.serve(0, false);
        }
        assertThat(COSTS.nic().isShared()).isTrue();
        assertThat(sent)
                .isEqualTo(100 * COSTS.nic().sendNanos() + 99 * COSTS.nic().serveNanos());
    }

    @Test
    void shouldLockEachWordThatAnAtomicIsChanging() {
        SimNic nic = nic(1);
        for (int word = 0; word < 100; word++) {
            nic.lock(MEMORY, 8L * word, 50 + word);
        }
        nic.unlock(MEMORY, 8);
        assertThat(nic.lockedUntil(MEMORY, 0, 8)).isEqualTo(51);
        assertThat(nic.lockedUntil(MEMORY, 8, 8)).isZero();
        assertThat(nic.lockedUntil(MEMORY, 0, 64)).isEqualTo(58);
        assertThat(nic.lockedUntil(MEMORY, 796, 8)).isEqualTo(150);
    }
}
