package dev.rcc.bench.verify.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.ErrorCode;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorCausesTest {
    private static List<ErrorCode> withCause(boolean isCalm, boolean isSlotOfAnother) {
        return Arrays.stream(ErrorCode.values())
                .filter(code -> ErrorCauses.mayHaveCause(code.number(), isCalm, isSlotOfAnother))
                .toList();
    }

    @Test
    void shouldExpectConflictsAndLimitsOfTimeAlways() {
        assertThat(withCause(true, false))
                .contains(ErrorCode.CONFLICT, ErrorCode.DEADLINE_EXCEEDED)
                .doesNotContain(ErrorCode.TABLE_FULL, ErrorCode.INTERNAL);
    }

    @Test
    void shouldExpectThatNodesAreUnavailableOnlyWhenOnesAreLost() {
        assertThat(withCause(true, true)).doesNotContain(ErrorCode.UNAVAILABLE, ErrorCode.NO_SUCH_TRANSACTION);
        assertThat(withCause(false, false)).contains(ErrorCode.UNAVAILABLE).doesNotContain(ErrorCode.TABLE_FULL);
    }

    @Test
    void shouldExpectThatTheSlotOfAnOutcomeIsTakenOnlyIfAnotherHasIt() {
        assertThat(withCause(false, false)).doesNotContain(ErrorCode.OUTCOME_SLOT_TAKEN);
        assertThat(withCause(true, true)).contains(ErrorCode.OUTCOME_SLOT_TAKEN);
    }
}
