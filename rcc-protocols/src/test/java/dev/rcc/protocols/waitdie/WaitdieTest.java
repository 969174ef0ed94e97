package dev.rcc.protocols.waitdie;

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

class WaitdieTest {
    private final Waitdie waitdie = new Waitdie();

    @Test
    void shouldRunUnderEveryCodeWhereAtomicsAreGlobal() {
        assertThat(admissible(Atomicity.GLOBAL)).hasSize(16);
    }

    @Test
    void shouldRunUnderExactlyTheCodesThatDoNotMixAtomicsOnAWordWhereTheyAreTheDevices() {
        assertThat(admissible(Atomicity.DEVICE)).containsExactly("0000", "0010", "0100", "0110", "1011", "1111");
    }

    @Test
    void shouldReportOnlyHeldWordsAsLocked() {
        Memory memory = Memory.allocate(Arena.ofAuto(), 16);
        long owner = Timestamp.of(7, 1, 2);
        for (long free : new long[] {0, WaitdieLayout.residue(owner)}) {
            memory.putLong(8, free);
            assertThat(waitdie.isLocked(memory, 8)).isFalse();
            memory.putLong(8, WaitdieLayout.share(free, owner));
            assertThat(waitdie.isLocked(memory, 8)).isTrue();
        }
        memory.putLong(8, owner);
        assertThat(waitdie.isLocked(memory, 8)).isTrue();
    }

    @Test
    void shouldBeFoundByItsName() {
        assertThat(Protocols.byName("waitdie")).isInstanceOf(Waitdie.class);
        assertThat(waitdie.stages()).containsExactly("lock", "log", "commit", "release");
    }

    private List<String> admissible(Atomicity atomicity) {
        return HybridCode.all(waitdie).stream()
                .filter(code -> WordChange.conflict(waitdie, code, atomicity).isEmpty())
                .map(HybridCode::digits)
                .toList();
    }
}
