package dev.rcc.transport.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@link SimNic}: what fetching the state of queue pairs costs, and whom. */
class SimNicTest {
    private static final CostModel COSTS = CostModel.profile("connectx4-edr");
    private static final int MANY = 4 * COSTS.nic().qpCacheEntries();
    private static final long STATE = COSTS.nic().qpNanos(MANY);

    private static SimNic nic(int queuePairs) {
        SimNic nic = new SimNic(COSTS);
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
        assertThat(nic(MANY).beginAtomic(0, true)).isEqualTo(nic(1).beginAtomic(0, true) + STATE);
        assertThat(nic(MANY).beginAtomic(0, false)).isEqualTo(nic(1).beginAtomic(0, false));
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
}
