package dev.rcc.protocols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.protocols.mvcc.MvccOptions;
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

    @Test
    void shouldRefuseWhatAProtocolDoesNotAllow() {
        assertThatThrownBy(() -> Protocols.options().parse(Map.of("calvin.epoch-transactions", "0")))
                .hasMessage(
                        "-O calvin.epoch-transactions: got '0', allowed: an integer from 1 to 1000000 (transactions)");
    }
}
