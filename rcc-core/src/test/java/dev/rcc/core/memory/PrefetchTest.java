package dev.rcc.core.memory;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** What is fetched shows where the memory is gone: reading it then fails. */
class PrefetchTest {
    private static final int BYTES = 4096;

    private final Prefetch prefetch = new Prefetch();

    @Test
    void shouldReadWhatWasAddedOnceHoweverMuch() {
        Memory memory = Memory.allocate(Arena.ofAuto(), BYTES);
        for (int i = 0; i < 1000; i++) {
            prefetch.add(memory, i % BYTES);
        }
        Memory gone = addedAndGone();
        assertThatIllegalStateException().isThrownBy(prefetch::fetch);
        prefetch.forget();
        prefetch.add(memory, 0);
        prefetch.fetch();
        prefetch.fetch();
        assertThatCode(() -> prefetch.add(gone, BYTES, 8)).doesNotThrowAnyException();
    }

    @Test
    void shouldReadNothingThatItForgot() {
        addedAndGone();
        prefetch.forget();
        assertThatCode(prefetch::fetch).doesNotThrowAnyException();
    }

    @Test
    void shouldLeaveOutWhatIsOutsideTheMemory() {
        Memory memory = Memory.allocate(Arena.ofAuto(), BYTES);
        for (long offset : new long[] {-1, -BYTES, BYTES - 7, BYTES, Long.MIN_VALUE, Long.MAX_VALUE}) {
            prefetch.add(memory, offset);
        }
        prefetch.add(memory, BYTES - 64, 4 * BYTES);
        prefetch.add(memory, -64, 256);
        assertThatCode(prefetch::fetch).doesNotThrowAnyException();
    }

    @Test
    void shouldReadEveryLineOfARunOfBytes() {
        try (Arena arena = Arena.ofConfined()) {
            Memory memory = Memory.allocate(arena, BYTES);
            prefetch.add(memory, -8, 16); // its first line is outside the memory, so what fails is the second
        }
        assertThatIllegalStateException().isThrownBy(prefetch::fetch);
        prefetch.forget();
        prefetch.add(Memory.allocate(Arena.ofAuto(), BYTES), 60, 0);
        assertThatCode(prefetch::fetch).doesNotThrowAnyException();
    }

    private Memory addedAndGone() {
        Memory memory;
        try (Arena arena = Arena.ofConfined()) {
            memory = Memory.allocate(arena, BYTES);
            prefetch.add(memory, 0);
        }
        return memory;
    }
}
