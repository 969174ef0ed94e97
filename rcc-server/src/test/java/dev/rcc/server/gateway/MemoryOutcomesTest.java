package dev.rcc.server.gateway;

import static dev.rcc.server.gateway.MemoryOutcomes.REFUSAL_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Outcomes in a gateway's memory. */
class MemoryOutcomesTest {
    private static final CommitId FIRST = CommitId.of(5, 0, 1);
    private static final CommitId SECOND = CommitId.of(5, 1, 1);
    private static final CommitId THIRD = CommitId.of(5, 2, 1);

    private final MemoryOutcomes outcomes = new MemoryOutcomes(2, 1, new CallResults(1_000));

    private Status ask(CommitId id, boolean mayRefuse, long nowNanos) {
        return outcomes.ask(new OutcomeStore.Question(id, 1, 0, mayRefuse), nowNanos)
                .status();
    }

    @Test
    void shouldRefuseNoCommitForAUserThatMayChangeNothing() {
        assertThat(ask(FIRST, false, 0)).isEqualTo(Status.UNKNOWN);
        assertThat(outcomes.arrived(FIRST, 1)).as("it may go on").isNull();
        outcomes.ended(FIRST, true, 7);
        assertThat(ask(FIRST, false, 2)).isEqualTo(Status.COMMITTED);
    }

    @Test
    void shouldKeepItsOutcomesWhateverCommitsLeaveNone() {
        outcomes.arrived(FIRST, 1);
        outcomes.ended(FIRST, true, 7);
        for (CommitId id : List.of(SECOND, THIRD, SECOND)) {
            assertThat(outcomes.arrived(id, 2)).isNull();
            outcomes.forget(id);
            assertThat(ask(id, false, 3)).isEqualTo(Status.UNKNOWN);
        }
        assertThat(ask(FIRST, false, 3)).isEqualTo(Status.COMMITTED);
    }

    @Test
    void shouldForgetRefusalsOnceTheyAreOld() {
        assertThat(ask(FIRST, true, 0)).isEqualTo(Status.NOT_COMMITTED);
        assertThat(ask(SECOND, true, 1)).isEqualTo(Status.NOT_COMMITTED);
        assertThat(ask(THIRD, true, REFUSAL_NANOS)).as("there is no room").isEqualTo(Status.UNKNOWN);
        assertThat(ask(THIRD, true, REFUSAL_NANOS + 1)).isEqualTo(Status.NOT_COMMITTED);
        assertThat(outcomes.arrived(FIRST, REFUSAL_NANOS + 1)).as("forgotten").isNull();
        assertThat(outcomes.arrived(SECOND, REFUSAL_NANOS + 1).status()).isEqualTo(Status.NOT_COMMITTED);
        assertThat(outcomes.arrived(THIRD, REFUSAL_NANOS + 1).status()).isEqualTo(Status.NOT_COMMITTED);
    }
}
