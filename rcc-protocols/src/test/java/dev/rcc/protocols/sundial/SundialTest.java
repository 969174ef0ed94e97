package dev.rcc.protocols.sundial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.Protocols;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;

class SundialTest {
    private final Sundial sundial = new Sundial();

    @Test
    void shouldRunUnderEveryCodeWhereAtomicsAreGlobal() {
        assertThat(admissible(Atomicity.GLOBAL)).hasSize(64);
    }

    // Where atomics exclude only the NIC's other atomics, locking and renewing change the word by the same
    // primitive, since each must make the other fail. If they are one-sided, the CPU neither installs nor
    // releases.
    @Test
    void shouldRunUnderExactlyTheCodesThatDoNotMixAtomicsOnAWordWhereTheyAreTheDevices() {
        List<String> expected = HybridCode.all(sundial).stream()
                .map(HybridCode::digits)
                .filter(code -> code.charAt(1) == code.charAt(2)
                        && (code.charAt(1) == '0' || (code.charAt(4) == '1' && code.charAt(5) == '1')))
                .toList();
        assertThat(admissible(Atomicity.DEVICE))
                .containsExactlyElementsOf(expected)
                .hasSize(20);
    }

    @Test
    void shouldReportTheConflictingStagesOfAForbiddenCode() {
        assertThat(WordChange.conflict(sundial, HybridCode.parse(sundial, "101111"), Atomicity.DEVICE))
                .get()
                .asString()
                .contains("code 101111 of sundial", "lock and lease word", "stage lock", "stage renew");
    }

    @Test
    void shouldReportALockedOrInstallingTupleAsLockedButNotALeasedOne() {
        Memory memory = Memory.allocate(Arena.ofAuto(), 16);
        SundialRules rules = sundial.rules();
        for (long rts : new long[] {0, 1, SundialLayout.MAX_TIME}) {
            memory.putLong(8, rts);
            assertThat(sundial.isLocked(memory, 8)).isFalse();
            memory.putLong(8, rules.locked(rts, Timestamp.of(1, 0, 0)));
            assertThat(sundial.isLocked(memory, 8)).isTrue();
        }
        memory.putLong(8, rules.installing(7));
        assertThat(sundial.isLocked(memory, 8)).isTrue();
    }

    @Test
    void shouldBeFoundByItsName() {
        assertThat(Protocols.byName("sundial")).isInstanceOf(Sundial.class);
        assertThat(sundial.stages()).containsExactly("fetch", "lock", "renew", "log", "commit", "release");
    }

    private List<String> admissible(Atomicity atomicity) {
        return HybridCode.all(sundial).stream()
                .filter(code -> WordChange.conflict(sundial, code, atomicity).isEmpty())
                .map(HybridCode::digits)
                .toList();
    }
}
