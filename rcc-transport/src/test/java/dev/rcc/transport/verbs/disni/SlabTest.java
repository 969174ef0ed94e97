package dev.rcc.transport.verbs.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlabTest {
    private final Slab slab = new Slab();

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 128, 4096, 8191, 8192, 8193, 200_000})
    void shouldReturnAZeroedAlignedBlockOfAtLeastTheRequestedSize(int bytes) {
        for (int round = 0; round < 3; round++) {
            MemorySegment block = slab.take(bytes);
            assertThat(block.byteSize()).isGreaterThanOrEqualTo(bytes);
            assertThat(block.address() % 64).isZero();
            for (long i = 0; i < block.byteSize(); i++) {
                assertThat(block.get(ValueLayout.JAVA_BYTE, i)).isZero();
            }
            block.fill((byte) 1);
            slab.give(block);
        }
    }

    @Test
    void shouldGiveAFreedBlockAgain() {
        MemorySegment block = slab.take(200);
        slab.give(block);
        assertThat(slab.take(150).address()).isEqualTo(block.address());
    }

    @Test
    void shouldNotGiveOverlappingBlocks() {
        List<MemorySegment> blocks = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            blocks.add(slab.take(1 + i % 1_000).fill((byte) 1));
        }
        blocks.sort((a, b) -> Long.compareUnsigned(a.address(), b.address()));
        for (int i = 1; i < blocks.size(); i++) {
            MemorySegment before = blocks.get(i - 1);
            assertThat(before.address() + before.byteSize())
                    .isLessThanOrEqualTo(blocks.get(i).address());
        }
    }
}
