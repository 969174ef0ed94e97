package dev.rcc.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Scanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class MemoryTest {
    private final Memory memory = Memory.allocate(Arena.ofAuto(), 64);

    @Test
    void shouldReachEachWordUpToTheLastAndNoFurther() {
        for (long offset = 0; offset < 64; offset += Memory.WORD_BYTES) {
            memory.putLong(offset, offset + 1);
        }
        for (long offset = 0; offset < 64; offset += Memory.WORD_BYTES) {
            assertThat(memory.getAcquire(offset)).isEqualTo(offset + 1);
        }
        assertThatThrownBy(() -> memory.getLong(57)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> memory.putRelease(64, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> memory.getLong(-8)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldRefuseAWordThatIsNotAligned() {
        assertThatIllegalArgumentException().isThrownBy(() -> memory.getLong(4));
        assertThatIllegalArgumentException().isThrownBy(() -> memory.compareAndExchange(4, 0, 1));
    }

    @Test
    void shouldSwapOnlyTheExpectedValueAndReturnThePreviousOne() {
        memory.putVolatile(8, 5);
        assertThat(memory.compareAndExchange(8, 4, 6)).isEqualTo(5);
        assertThat(memory.getLong(8)).isEqualTo(5);
        assertThat(memory.compareAndExchange(8, 5, 6)).isEqualTo(5);
        assertThat(memory.getAndAdd(8, -7)).isEqualTo(6);
        assertThat(memory.getLong(8)).isEqualTo(-1);
    }

    // Goal: the space into which a table may grow takes no memory before it is used.
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTakeNoMemoryForUntouchedPages() throws IOException {
        long bytes = 1L << 30;
        try (Arena arena = Arena.ofShared()) {
            long before = residentBytes();
            Memory large = Memory.allocate(arena, bytes);
            assertThat(large.size()).isEqualTo(bytes);
            assertThat(large.segment().address() % 64).isZero();
            for (long offset : new long[] {0, bytes / 2, bytes - 8}) {
                assertThat(large.getLong(offset)).isZero();
                large.putLong(offset, offset);
            }
            assertThat(residentBytes() - before).isLessThan(bytes / 4);
        }
    }

    private static long residentBytes() throws IOException {
        try (Scanner pages = new Scanner(Path.of("/proc/self/statm"), StandardCharsets.US_ASCII)) {
            pages.nextLong(); // skips the address space's size
            return pages.nextLong() * 4096;
        }
    }

    @Test
    void shouldFreeLargeMemoryWithItsArena() {
        Memory large;
        try (Arena arena = Arena.ofShared()) {
            large = Memory.allocate(arena, 1 << 22);
        }
        assertThatThrownBy(() -> large.getLong(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldCopyAndZeroExactlyTheBytesNamed() {
        byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        memory.putBytes(3, bytes, 1, 8);
        byte[] found = new byte[12];
        memory.getBytes(2, found, 1, 10);
        assertThat(found).containsExactly(0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0);
        memory.zero(4, 6);
        memory.copy(3, memory, 32, 8);
        memory.getBytes(31, found, 0, 10);
        assertThat(found).containsExactly(0, 2, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0);
    }

    @Test
    void shouldCompareWholeWords() {
        memory.putLong(0, 1);
        memory.putLong(8, 2);
        memory.putLong(32, 1);
        memory.putLong(40, 3);
        assertThat(memory.equalWords(0, memory, 32, 8)).isTrue();
        assertThat(memory.equalWords(0, memory, 32, 16)).isFalse();
        assertThat(memory.equalWords(0, memory, 32, 0)).isTrue();
    }

    @Test
    void shouldRoundUpToWords() {
        assertThat(Memory.alignToWord(0)).isEqualTo(0);
        assertThat(Memory.alignToWord(1)).isEqualTo(8);
        assertThat(Memory.alignToWord(8)).isEqualTo(8);
        assertThat(Memory.alignToWord(9)).isEqualTo(16);
    }

    @Test
    void shouldRefuseMemoryOnTheHeapOrNotAligned() {
        MemorySegment native64 = Arena.ofAuto().allocate(64, 8);
        assertThat(Memory.of(native64.asSlice(8)).size()).isEqualTo(56);
        assertThatIllegalArgumentException().isThrownBy(() -> Memory.of(native64.asSlice(4)));
        assertThatIllegalArgumentException().isThrownBy(() -> Memory.of(MemorySegment.ofArray(new long[8])));
    }

    @Test
    void shouldCheckARegionAgainstTheWidthsOfAnAddress() {
        Region region = new Region(255, 4094, memory);
        assertThat(RemoteAddress.offset(region.address(63))).isEqualTo(63);
        assertThatIllegalArgumentException().isThrownBy(() -> new Region(256, 0, memory));
        assertThatIllegalArgumentException().isThrownBy(() -> new Region(0, 4095, memory));
    }
}
