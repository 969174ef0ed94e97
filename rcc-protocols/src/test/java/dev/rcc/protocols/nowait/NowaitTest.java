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

    // Where only the NIC's atomics exclude each other, the lock word is changed by the NIC alone or by the CPU alone:
    // locking and releasing go the same way, and once locks are taken by remote CAS, a commit by the CPU would unlock
    // behind the NIC's back. A commit by WRITE needs no atomic, whoever takes the locks. The log is nobody's word.
    @Test
    void shouldRunUnderExactlyTheCodesThatDoNotMixAtomicsOnAWordWhereTheyAreTheDevices() {
        assertThat(admissible(Atomicity.DEVICE)).containsExactly("0000", "0010", "0100", "0110", "1011", "1111");
    }

    @Test
    void shouldSayWhichWordAndStagesForbidACode() {
        assertThat(WordChange.conflict(nowait, HybridCode.parse(nowait, "1001"), Atomicity.DEVICE))
                .get()
                .asString()
                .contains("code 1001 of nowait", "stage commit", "stage lock");
    }

    @Test
    void shouldSayOfEveryWordButAFreeOneThatItIsLocked() {
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
