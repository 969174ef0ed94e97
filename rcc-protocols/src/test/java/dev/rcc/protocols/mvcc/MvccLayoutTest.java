package dev.rcc.protocols.mvcc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.time.Timestamp;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class MvccLayoutTest {
    private static final int OFFSET = 8;
    /** Larger than any signed number. */
    private static final long LATE = Timestamp.of(Timestamp.MAX_CLOCK, 1, 1);

    private final Memory memory = Memory.allocate(Arena.ofAuto(), 64);

    private void history(long... wts) {
        for (int slot = 0; slot < wts.length; slot++) {
            memory.putLong(OFFSET + MvccLayout.wtsOffset(slot), wts[slot]);
        }
    }

    private int slotBefore(long timestamp) {
        return MvccLayout.slotBefore(memory, OFFSET, 4, timestamp);
    }

    @Test
    void shouldPutTheWordsSideBySide() {
        assertThat(MvccLayout.LOCK_OFFSET).isZero();
        assertThat(MvccLayout.RTS_OFFSET).isEqualTo(8);
        assertThat(MvccLayout.wtsOffset(0)).isEqualTo(16);
        assertThat(MvccLayout.metadataBytes(0)).isEqualTo(16);
        assertThat(MvccLayout.metadataBytes(3)).isEqualTo(MvccLayout.wtsOffset(3));
    }

    @Test
    void shouldChooseTheLatestVersionBeforeATimestamp() {
        history(30, LATE, 10, 20);
        assertThat(slotBefore(10)).isEqualTo(MvccLayout.NO_SLOT);
        assertThat(slotBefore(11)).isEqualTo(2);
        assertThat(slotBefore(20)).isEqualTo(2);
        assertThat(slotBefore(21)).isEqualTo(3);
        assertThat(slotBefore(31)).isZero();
        assertThat(slotBefore(LATE)).isZero();
        assertThat(slotBefore(LATE + 1)).isEqualTo(1);
    }

    @Test
    void shouldChooseNoEmptySlot() {
        assertThat(slotBefore(LATE)).isEqualTo(MvccLayout.NO_SLOT);
        assertThat(MvccLayout.slotBefore(memory, OFFSET, 0, LATE)).isEqualTo(MvccLayout.NO_SLOT);
        assertThat(MvccLayout.oldestSlot(memory, OFFSET, 4)).isEqualTo(MvccLayout.NO_SLOT);
        assertThat(MvccLayout.oldestSlot(memory, OFFSET, 0)).isEqualTo(MvccLayout.NO_SLOT);
    }

    @Test
    void shouldReplaceEmptySlotsFirstAndThenTheOldest() {
        history(30, 0, LATE, 20);
        assertThat(MvccLayout.slotToReplace(memory, OFFSET, 4)).isEqualTo(1);
        assertThat(MvccLayout.oldestSlot(memory, OFFSET, 4)).isEqualTo(3);
        history(30, 40, LATE, 20);
        assertThat(MvccLayout.slotToReplace(memory, OFFSET, 4)).isEqualTo(3);
        history(LATE, LATE - 1);
        assertThat(MvccLayout.slotToReplace(memory, OFFSET, 2)).isEqualTo(1);
        assertThat(MvccLayout.slotToReplace(memory, OFFSET, 1)).isZero();
    }

    @Test
    void shouldTreatOnlyAnEarlierWriterAsPending() {
        assertThat(MvccLayout.isPending(MvccLayout.FREE, LATE)).isFalse();
        assertThat(MvccLayout.isPending(19, 20)).isTrue();
        assertThat(MvccLayout.isPending(20, 20)).isFalse();
        assertThat(MvccLayout.isPending(LATE, 20)).isFalse();
        assertThat(MvccLayout.isPending(LATE - 1, LATE)).isTrue();
    }
}
