package dev.rcc.core.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BufferSliceTest {
    private Arena arena;
    private BufferSlice slice;

    @BeforeEach
    void allocate() {
        arena = Arena.ofConfined();
        slice = new BufferSlice(Memory.allocate(arena, 1024), 64, 256);
    }

    @AfterEach
    void free() {
        arena.close();
    }

    @Test
    void shouldHandOutWordsFromTheFrontAndTakeThemBackAsAWhole() {
        assertThat(slice.allocate(3)).isEqualTo(64);
        assertThat(slice.allocate(8)).isEqualTo(72);
        slice.reset();
        assertThat(slice.allocate(256)).isEqualTo(64);
        assertThatExceptionOfType(TransactionTooLarge.class).isThrownBy(() -> slice.allocate(1));
    }

    @Test
    void shouldNotHandOutQuarantinedMemoryUntilTheQuarantineEnds() {
        assertThat(slice.keep(16)).isEqualTo(64);
        slice.allocate(32);
        slice.quarantine();
        assertThat(slice.allocate(8)).isEqualTo(112);
        slice.reset();
        assertThat(slice.allocate(8)).isEqualTo(112);
        slice.quarantine(); // a second time, before the first quarantine ends
        slice.reset();
        assertThat(slice.allocate(8)).isEqualTo(120);
        slice.reset();
        slice.endQuarantine();
        assertThat(slice.allocate(8)).as("behind the permanent part").isEqualTo(80);
    }

    @Test
    void shouldNotEndAQuarantineWhileMemoryIsHandedOut() {
        slice.quarantine();
        slice.allocate(8);
        assertThatIllegalStateException().isThrownBy(slice::endQuarantine).withMessageContaining("handed out");
    }
}
