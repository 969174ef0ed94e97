package dev.rcc.protocols.occ;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.Protocols;
import dev.rcc.protocols.optimistic.LockRules;
import dev.rcc.protocols.optimistic.OptimisticStages;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;

class OccTest {
    private final Occ occ = new Occ();

    @Test
    void shouldRunUnderEveryCodeWhereAtomicsAreGlobal() {
        assertThat(admissible(Atomicity.GLOBAL)).hasSize(64);
    }

    // Fetch, validate and log change no lock word. Once locks are taken by remote CAS, a commit or release by
    // the CPU would unlock behind the NIC's back.
    @Test
    void shouldRunUnderExactlyTheCodesThatDoNotMixAtomicsOnAWordWhereTheyAreTheDevices() {
        assertThat(admissible(Atomicity.DEVICE))
                .hasSize(40)
                .allMatch(code -> code.charAt(OptimisticStages.LOCK) == '0'
                        || (code.charAt(OptimisticStages.COMMIT) == '1'
                                && code.charAt(OptimisticStages.RELEASE) == '1'));
    }

    @Test
    void shouldReportTheConflictingStagesOfAForbiddenCode() {
        assertThat(WordChange.conflict(occ, HybridCode.parse(occ, "010001"), Atomicity.DEVICE))
                .get()
                .asString()
                .contains("code 010001 of occ", "stage commit", "stage lock");
    }

    @Test
    void shouldReportEveryWordButAFreeOneAsLocked() {
        Memory memory = Memory.allocate(Arena.ofAuto(), 16);
        assertThat(occ.isLocked(memory, 8)).isFalse();
        for (long word : new long[] {Timestamp.of(1, 0, 0), -1}) {
            memory.putLong(8, word);
            assertThat(occ.isLocked(memory, 8)).isTrue();
        }
    }

    @Test
    void shouldAllowLocksAndReadsOfFreeWordsOnly() {
        LockRules rules = new OccRules();
        long attempt = Timestamp.of(5, 1, 1);
        long held = rules.locked(OccLayout.FREE, attempt);
        assertThat(rules.isLockable(OccLayout.FREE)).isTrue();
        assertThat(rules.isReadable(OccLayout.FREE, attempt)).isTrue();
        assertThat(rules.isHeldBy(held, attempt)).isTrue();
        assertThat(rules.isHeldBy(held, attempt + 1)).isFalse();
        assertThat(rules.isHeldBy(OccLayout.FREE, attempt)).isFalse();
        for (long word : new long[] {held, LockRules.NO_WORD}) {
            assertThat(rules.isLockable(word)).isFalse();
            assertThat(rules.isReadable(word, attempt)).isFalse();
        }
        assertThat(rules.released(held)).isEqualTo(OccLayout.FREE);
        assertThat(rules.committed(held, attempt + 1)).isEqualTo(OccLayout.FREE);
    }

    @Test
    void shouldBeFoundByItsName() {
        assertThat(Protocols.byName("occ")).isInstanceOf(Occ.class);
        assertThat(occ.stages()).containsExactly("fetch", "lock", "validate", "log", "commit", "release");
    }

    private List<String> admissible(Atomicity atomicity) {
        return HybridCode.all(occ).stream()
                .filter(code -> WordChange.conflict(occ, code, atomicity).isEmpty())
                .map(HybridCode::digits)
                .toList();
    }
}
