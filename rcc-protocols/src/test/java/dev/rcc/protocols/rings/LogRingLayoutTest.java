package dev.rcc.protocols.rings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class LogRingLayoutTest {
    @Test
    void shouldPutRingsSideBySideWithTheirWordsOnCacheLines() {
        for (int ringBytes : new int[] {LogRingLayout.MIN_RING_BYTES, 1 << 20, LogRingLayout.MAX_RING_BYTES}) {
            LogRingLayout layout = new LogRingLayout(5, 3, ringBytes);
            assertThat(layout.rings()).isEqualTo(15);
            long expected = 0;
            for (int node = 0; node < 5; node++) {
                for (int worker = 0; worker < 3; worker++) {
                    int ring = layout.ring(node, worker);
                    assertThat(layout.decidedOffset(ring)).isEqualTo(expected);
                    assertThat(layout.headOffset(ring)).isEqualTo(expected + 64);
                    assertThat(layout.entryOffset(ring, 0)).isEqualTo(expected + 128);
                    assertThat(layout.entryOffset(ring, ringBytes - 1)).isEqualTo(expected + 128 + ringBytes - 1);
                    assertThat(layout.entryOffset(ring, ringBytes)).isEqualTo(expected + 128);
                    assertThat(layout.entryOffset(ring, (1L << 40) + 48)).isEqualTo(expected + 128 + 48);
                    expected += 128 + ringBytes;
                }
            }
            assertThat(layout.regionBytes()).isEqualTo(expected);
        }
    }

    @Test
    void shouldRefuseASizeThatIsNoPowerOfTwoOrOutOfRange() {
        for (int bytes : new int[] {0, -4096, 2048, 4095, 4097, 12_288, (1 << 30) + 1, Integer.MIN_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new LogRingLayout(1, 1, bytes))
                    .withMessage("a log ring's size is a power of two from 4096 to 1073741824 bytes, got " + bytes);
        }
    }
}
