package dev.rcc.protocols.mvcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.Protocols;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;

class MvccTest {
    private final Mvcc mvcc = new Mvcc();

    @Test
    void shouldRunUnderEveryCodeWhereAtomicsAreGlobal() {
        assertThat(admissible(Atomicity.GLOBAL)).hasSize(32);
    }

    // Where atomics exclude only the NIC's other atomics, the CPU must not drop locks that are taken by
    // remote CAS. Only the fetch stage changes rts, by one primitive or the other.
    @Test
    void shouldRunUnderExactlyTheCodesThatDoNotMixAtomicsOnAWordWhereTheyAreTheDevices() {
        assertThat(admissible(Atomicity.DEVICE))
                .allMatch(code -> code.charAt(1) == '0' || code.endsWith("11"))
                .hasSize(20);
    }

    @Test
    void shouldReportEveryWordButAFreeOneAsLocked() {
        Memory memory = Memory.allocate(Arena.ofAuto(), 64);
        memory.putLong(8 + MvccLayout.RTS_OFFSET, -1);
        memory.putLong(8 + MvccLayout.wtsOffset(0), -1);
        assertThat(mvcc.isLocked(memory, 8)).isFalse();
        for (long word : new long[] {1, Timestamp.of(1, 0, 0), -1}) {
            memory.putLong(8, word);
            assertThat(mvcc.isLocked(memory, 8)).isTrue();
        }
    }

    @Test
    void shouldBeFoundByItsNameWithFourVersions() {
        assertThat(Protocols.byName("mvcc")).isInstanceOf(Mvcc.class);
        assertThat(mvcc.stages()).containsExactly("fetch", "lock", "log", "commit", "release");
        assertThat(mvcc.chosen()).isEqualTo(new MvccOptions(4, true, 20));
        assertThat(mvcc.historySlots()).isEqualTo(3);
        assertThat(mvcc.metadataBytes()).isEqualTo(40);
    }

    @Test
    void shouldHaveRoomForAsManyVersionsAsWereAskedFor() {
        for (int versions : new int[] {1, 2, 64}) {
            Mvcc protocol = new Mvcc(new MvccOptions(versions, false, 0));
            assertThat(protocol.historySlots()).isEqualTo(versions - 1);
            assertThat(protocol.metadataBytes()).isEqualTo(16 + 8 * (versions - 1));
            assertThat(protocol.rules().metadataBytes()).isEqualTo(protocol.metadataBytes());
        }
    }

    @Test
    void shouldRefuseOptionsBeyondTheirRanges() {
        assertRefused(0, 0, "versions must be 1 to 64, got 0");
        assertRefused(65, 0, "versions must be 1 to 64, got 65");
        assertRefused(4, -1, "pendingWaits must be 0 to 1000000, got -1");
        assertRefused(4, 1_000_001, "pendingWaits must be 0 to 1000000, got 1000001");
        assertThat(new MvccOptions(64, true, 1_000_000)).isNotNull();
    }

    private static void assertRefused(int versions, int pendingWaits, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MvccOptions(versions, true, pendingWaits))
                .withMessageContaining(message);
    }

    private List<String> admissible(Atomicity atomicity) {
        return HybridCode.all(mvcc).stream()
                .filter(code -> WordChange.conflict(mvcc, code, atomicity).isEmpty())
                .map(HybridCode::digits)
                .toList();
    }
}
