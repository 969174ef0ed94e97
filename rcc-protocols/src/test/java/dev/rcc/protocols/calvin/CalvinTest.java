package dev.rcc.protocols.calvin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.protocols.Protocols;
import org.junit.jupiter.api.Test;

class CalvinTest {
    private final Calvin calvin = new Calvin();

    // CALVIN uses no remote atomics, so no network forbids a code.
    @Test
    void shouldRunUnderEveryCodeWithAnyAtomicity() {
        for (Atomicity atomicity : Atomicity.values()) {
            assertThat(HybridCode.all(calvin))
                    .hasSize(4)
                    .allMatch(
                            code -> WordChange.conflict(calvin, code, atomicity).isEmpty());
        }
    }

    @Test
    void shouldBeFoundByItsName() {
        assertThat(Protocols.byName("calvin")).isInstanceOf(Calvin.class);
        assertThat(calvin.stages()).containsExactly("dispatch", "forward");
    }
}
