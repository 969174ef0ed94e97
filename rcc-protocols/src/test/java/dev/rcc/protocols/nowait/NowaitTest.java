package dev.rcc.protocols.nowait;

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

class NowaitTest {
    private final Nowait nowait = new Nowait();

    @Test
    void shouldRunUnderEveryCodeWhereAtomicsAreGlobal() {
        assertThat(admissible(Atomicity.GLOBAL)).hasSize(16);
    }

    // Where atomics exclude only the NIC's other atomics, either the NIC alone or the CPU alone changes the
    // lock word. So locking and releasing use the same primitive. Once locks are taken by remote CAS, a
    // commit by the CPU would unlock behind the NIC's back. A commit by WRITE needs no atomic, however locks
    // are taken. The log has no such word.
    @Test
    void shouldRunUnderExactlyTheCodesThatDoNotMixAtomicsOnAWordWhereTheyAreTheDevices() {
        assertThat(admissible(Atomicity.DEVICE)).containsExactly("0000", "0010", "0100", "0110", "1011", "1111");
    }

    @Test
    void shouldReportTheConflictingStagesOfAForbiddenCode() {
        assertThat(WordChange.conflict(nowait, HybridCode.parse(nowait, "1001"), Atomicity.DEVICE))
                .get()
                .asString()
                .contains("code 1001 of nowait", "stage commit", "stage lock");
    }

    @Test
    void shouldReportEveryWordButAFreeOneAsLocked() {
        Memory memory = Memory.allocate(Arena.ofAuto(), 16);
        assertThat(nowait.isLocked(memory, 8)).isFalse();
        for (long word : new long[] {1, NowaitLayout.MAX_SHARED, Timestamp.of(1, 0, 0), -1}) {
            memory.putLong(8, word);
            assertThat(nowait.isLocked(memory, 8)).isTrue();
        }
    }

    @Test
    void shouldBeFoundByItsName() {
        assertThat(Protocols.byName("nowait")).isInstanceOf(Nowait.class);
        assertThat(nowait.stages()).containsExactly("lock", "log", "commit", "release");
    }

    private List<String> admissible(Atomicity atomicity) {
        return HybridCode.all(nowait).stream()
                .filter(code -> WordChange.conflict(nowait, code, atomicity).isEmpty())
                .map(HybridCode::digits)
                .toList();
    }
}
