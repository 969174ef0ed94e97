package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.transport.control.ControlFailure;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecoveryRoundsTest {
    private final RecoveryRounds rounds = new RecoveryRounds(1);
    private final List<String> begun = new ArrayList<>();

    private static RecoveryOrder order(long term, long round, RecoveryOrder.Step step) {
        Placement home = new RingPlacement(3, 2);
        return new RecoveryOrder(1, term, round, 12, step, new BitSet(), home, home, 0, 0, Set.of());
    }

    private RecoveryOrder accepted(long term, long round, RecoveryOrder.Step step) {
        RecoveryOrder order = order(term, round, step);
        rounds.accept(order);
        return order;
    }

    private void begin(RecoveryOrder order) {
        boolean _ = rounds.begin(order, () -> begun.add(order.step() + " of round " + order.round()));
    }

    @Test
    void shouldBeginStepsOfTheRoundThatHasBegunLast() {
        begin(accepted(1, 1, RecoveryOrder.Step.FREEZE));
        begin(accepted(1, 1, RecoveryOrder.Step.SETTLE));
        begin(accepted(1, 2, RecoveryOrder.Step.FREEZE));
        begin(accepted(2, 1, RecoveryOrder.Step.FREEZE));
        begin(accepted(2, 1, RecoveryOrder.Step.INSTALL));
        assertThat(begun)
                .containsExactly(
                        "FREEZE of round 1",
                        "SETTLE of round 1",
                        "FREEZE of round 2",
                        "FREEZE of round 1",
                        "INSTALL of round 1");
    }

    // Goal: a node that was slow to install the decisions of a round must not install them when the next
    // round has begun, which decides anew.
    @Test
    void shouldNotBeginAStepThatWasAcceptedBeforeTheNextRoundBegan() {
        begin(accepted(1, 1, RecoveryOrder.Step.FREEZE));
        RecoveryOrder late = accepted(1, 1, RecoveryOrder.Step.INSTALL);
        RecoveryOrder next = accepted(1, 2, RecoveryOrder.Step.FREEZE);
        assertThatThrownBy(() -> begin(late))
                .isInstanceOf(ControlFailure.class)
                .hasMessageContaining("round 1: the current one is term 1, round 2");
        begin(next);
        assertThat(begun).containsExactly("FREEZE of round 1", "FREEZE of round 2");
    }

    @Test
    void shouldNotBeginARoundThatAnotherHasTakenThePlaceOf() {
        RecoveryOrder late = accepted(1, 1, RecoveryOrder.Step.FREEZE);
        begin(accepted(2, 1, RecoveryOrder.Step.FREEZE));
        assertThatThrownBy(() -> begin(late)).isInstanceOf(ControlFailure.class);
        assertThat(begun).containsExactly("FREEZE of round 1");
    }

    @Test
    void shouldTakeNoOrderOfARoundThatHasNotBegunOrIsOver() {
        rounds.accept(order(2, 5, RecoveryOrder.Step.FREEZE));
        for (RecoveryOrder other : List.of(
                order(2, 4, RecoveryOrder.Step.SETTLE),
                order(2, 6, RecoveryOrder.Step.SETTLE),
                order(1, 5, RecoveryOrder.Step.REPLAY),
                order(2, 5, RecoveryOrder.Step.FREEZE),
                order(1, 9, RecoveryOrder.Step.FREEZE))) {
            assertThatThrownBy(() -> rounds.accept(other)).isInstanceOf(ControlFailure.class);
        }
    }
}
