package dev.rcc.protocols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.protocols.mvcc.MvccOptions;
import java.lang.reflect.Field;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProtocolsTest {
    @Test
    void shouldHaveOptionsThatBeginWithTheNameOfTheirProtocol() {
        for (Protocol protocol : Protocols.all()) {
            assertThat(protocol.options())
                    .allSatisfy(option -> assertThat(option.key()).startsWith(protocol.name() + "."));
        }
        assertThat(Protocols.options().options()).isNotEmpty();
    }

    @Test
    void shouldMakeEachProtocolFromTheValuesOfItsOptions() {
        OptionValues defaults = Protocols.options().parse(Map.of());
        for (Protocol protocol : Protocols.all()) {
            assertThat(protocol.with(defaults)).hasSameClassAs(protocol);
        }
        assertThat(((Mvcc) Protocols.byName("mvcc").with(defaults)).chosen()).isEqualTo(MvccOptions.DEFAULT);
        OptionValues others = Protocols.options()
                .parse(Map.of("mvcc.versions", "2", "mvcc.adjust-clocks", "no", "mvcc.pending-waits", "0"));
        assertThat(((Mvcc) Protocols.byName("mvcc").with(others)).chosen()).isEqualTo(new MvccOptions(2, false, 0));
    }

    // Clients, metrics and reports identify a reason by its code and its name.
    @Test
    void shouldKeepTheCodesAndNamesOfAbortReasons() {
        assertThat(Protocols.abortReasons().all())
                .extracting(reason -> reason.code() + " " + reason + (reason.isRetryable() ? "" : " final"))
                .containsExactly(
                        "1 USER_ABORT final",
                        "2 LOCK_CONFLICT",
                        "3 LOG_FULL",
                        "4 PEER_UNREACHABLE final",
                        "5 TABLE_FULL final",
                        "6 WAIT_DIE_DIED",
                        "7 WAIT_TIMEOUT",
                        "8 VALIDATION_FAILED",
                        "9 INDEX_CHANGED",
                        "12 DEPENDENCY_CHANGED",
                        "16 WRITE_TOO_LATE",
                        "17 VERSION_GONE",
                        "18 PENDING_WRITER",
                        "20 LEASE_NOT_RENEWED",
                        "21 LOGICAL_TIME_EXHAUSTED final",
                        "24 TICKET_LOST",
                        "30 NODE_DRAINING",
                        "31 INTENT_CHANGED",
                        "32 READS_CHANGED final",
                        "33 NO_MAJORITY",
                        "34 UPGRADED",
                        "35 DUPLICATE_KEY final",
                        "36 COPIES_DIFFER",
                        "37 RECONFIGURED");
    }

    @Test
    void shouldDeclareAllReasonsThatAreConstantsOfAProtocol() throws ReflectiveOperationException {
        for (Protocol protocol : Protocols.all()) {
            for (Field field : protocol.getClass().getFields()) {
                if (field.getType() == AbortReason.class) {
                    assertThat(protocol.abortReasons()).contains((AbortReason) field.get(null));
                }
            }
        }
    }

    @Test
    void shouldRejectAnOptionValueThatAProtocolDoesNotAllow() {
        assertThatThrownBy(() -> Protocols.options().parse(Map.of("calvin.epoch-transactions", "0")))
                .hasMessage(
                        "-O calvin.epoch-transactions: got '0', allowed: an integer from 1 to 1000000 (transactions)");
    }
}
