package dev.rcc.protocols.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.AbortReasons;
import dev.rcc.protocols.Protocols;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalTest {
    @Test
    void shouldEncodeEachReasonOfEachProtocolInItsBits() {
        AbortReasons reasons = Protocols.abortReasons();
        assertThat(reasons.all()).hasSizeGreaterThan(10);
        for (AbortReason reason : reasons.all()) {
            int result = Refusal.of(reason) & (1 << Refusal.BITS) - 1;
            assertThat(Refusal.is(result)).isTrue();
            assertThat(Refusal.reason(result, reasons)).isSameAs(reason);
        }
    }

    @Test
    void shouldLeaveRoomForTheOtherResultsOfAMessage() {
        for (int result = 0; result <= AbortReason.MAX_CODE; result++) {
            assertThat(Refusal.is(result)).isFalse();
        }
    }

    @Test
    void shouldReportThatAReasonIsNotDeclared() {
        AbortReasons reasons = new AbortReasons(List.of());
        assertThatThrownBy(() -> Refusal.reason(Refusal.of(ConflictReasons.WAIT_TIMEOUT), reasons))
                .hasMessage("no abort reason has the code 7; a protocol declares its own in abortReasons()");
    }
}
