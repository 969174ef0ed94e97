package dev.rcc.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.testing.Seeds;
import org.junit.jupiter.api.Test;

class RemoteAddressTest {
    @Test
    void shouldKeepEachPartAtItsLimitsAndLeaveItsNeighboursAlone() {
        int maxNode = 255;
        int maxRegion = 4094;
        long maxOffset = 17_592_186_044_415L;
        assertParts(0, 0, 0);
        assertParts(maxNode, 0, 0);
        assertParts(0, maxRegion, 0);
        assertParts(0, 0, maxOffset);
        assertParts(maxNode, maxRegion, maxOffset);
        assertThat(RemoteAddress.of(1, 0, 0)).isEqualTo(1L << 56);
        assertThat(RemoteAddress.of(0, 1, 0)).isEqualTo(1L << 44);
    }

    @Test
    void shouldKeepAllParts() {
        Seeds.forEach(
                100,
                random -> assertParts(
                        random.nextInt(RemoteAddress.MAX_NODE + 1),
                        random.nextInt(RemoteAddress.MAX_REGION + 1),
                        random.nextLong(RemoteAddress.MAX_OFFSET + 1)));
    }

    @Test
    void shouldRefuseAPartThatDoesNotFitWithItsValueAndRange() {
        assertRefused(256, 0, 0, "node 256 (0 to 255)");
        assertRefused(-1, 0, 0, "node -1 (0 to 255)");
        assertRefused(0, 4095, 0, "region 4095 (0 to 4094)");
        assertRefused(0, -1, 0, "region -1 (0 to 4094)");
        assertRefused(0, 0, 17_592_186_044_416L, "offset 17592186044416 (0 to 17592186044415)");
        assertRefused(0, 0, -1, "offset -1 (0 to 17592186044415)");
    }

    @Test
    void shouldNeverBeNone() {
        assertThat(RemoteAddress.of(RemoteAddress.MAX_NODE, RemoteAddress.MAX_REGION, RemoteAddress.MAX_OFFSET))
                .isNotEqualTo(RemoteAddress.NONE);
        assertThat(RemoteAddress.region(RemoteAddress.NONE)).isGreaterThan(RemoteAddress.MAX_REGION);
    }

    @Test
    void shouldPrintForPeople() {
        assertThat(RemoteAddress.toString(RemoteAddress.of(3, 17, 4096))).isEqualTo("3/17+4096");
        assertThat(RemoteAddress.toString(RemoteAddress.NONE)).isEqualTo("none");
    }

    private static void assertParts(int node, int region, long offset) {
        long address = RemoteAddress.of(node, region, offset);
        assertThat(RemoteAddress.node(address)).isEqualTo(node);
        assertThat(RemoteAddress.region(address)).isEqualTo(region);
        assertThat(RemoteAddress.offset(address)).isEqualTo(offset);
    }

    private static void assertRefused(int node, int region, long offset, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RemoteAddress.of(node, region, offset))
                .withMessageContaining(message);
    }
}
