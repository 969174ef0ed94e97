package dev.rcc.core.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class AbortReasonsTest {
    private static final AbortReason FIRST = AbortReason.retryable(AbortReason.MAX_CODE, "FIRST");
    private static final AbortReason SECOND = AbortReason.permanent(100, "SECOND", "write under another key");

    private final AbortReasons reasons = new AbortReasons(List.of(FIRST, SECOND, FIRST));

    @Test
    void shouldFindCommonAndDeclaredReasonsByCodeAndName() {
        assertThat(reasons.all()).containsAll(AbortReason.COMMON).contains(FIRST, SECOND);
        for (AbortReason reason : reasons.all()) {
            assertThat(reasons.ofCode(reason.code())).isSameAs(reason);
            assertThat(reasons.ofName(reason.name())).isSameAs(reason);
        }
    }

    @Test
    void shouldListThemByTheirCodes() {
        assertThat(reasons.all()).extracting(AbortReason::code).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void shouldHaveAdviceForClientsOnlyForFinalReasons() {
        assertThat(SECOND.isRetryable()).isFalse();
        assertThat(SECOND.advice()).contains("write under another key");
        assertThat(FIRST.isRetryable()).isTrue();
        assertThat(FIRST.advice()).isEmpty();
    }

    @Test
    void shouldRefuseTwoReasonsOfOneCodeOrOneName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AbortReasons(List.of(AbortReason.retryable(2, "ANOTHER"))))
                .withMessage("two abort reasons are 2 LOCK_CONFLICT and 2 ANOTHER: their codes and names must differ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AbortReasons(List.of(FIRST, AbortReason.retryable(101, "FIRST"))))
                .withMessage("two abort reasons are 255 FIRST and 101 FIRST: their codes and names must differ");
    }

    @Test
    void shouldRefuseCodesThatDoNotFitIntoAMessage() {
        assertThatIllegalArgumentException().isThrownBy(() -> AbortReason.retryable(0, "NONE"));
        assertThatIllegalArgumentException().isThrownBy(() -> AbortReason.retryable(256, "LARGE"));
    }

    @Test
    void shouldRefuseUndeclaredCodesAndNames() {
        for (int code : new int[] {-1, 0, 101, 256}) {
            assertThatIllegalArgumentException().isThrownBy(() -> reasons.ofCode(code));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> reasons.ofName("NOBODYS"))
                .withMessage("no abort reason has the name NOBODYS");
    }
}
