package dev.rcc.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.memory.RemoteAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HelloTest {
    private static final long BIG = 5L << 30;

    @Test
    void shouldArriveAsItWasSent() {
        Hello sent = hello();
        Hello got = Hello.decode(ByteBuffer.wrap(sent.encode()));
        assertThat(got).usingRecursiveComparison().ignoringFields("regions").isEqualTo(sent);
        assertThat(got.regions().virtualAddress(RemoteAddress.of(3, 2, 8))).isEqualTo(0x2008);
        assertThat(got.regions().rkey(RemoteAddress.of(3, RemoteAddress.MAX_REGION, 0)))
                .isEqualTo(-9);
        assertThat(got.encode()).isEqualTo(sent.encode());
    }

    @Test
    void shouldRejectAnotherVersionAndTruncatedBytes() {
        byte[] other = hello().encode();
        other[7]++;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Hello.decode(ByteBuffer.wrap(other)))
                .withMessageContaining("another version");
        assertThatIllegalArgumentException().isThrownBy(() -> Hello.decode(ByteBuffer.allocate(0)));
        byte[] whole = hello().encode();
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatIllegalArgumentException()
                    .as("%d of %d bytes", length, whole.length)
                    .isThrownBy(() -> Hello.decode(ByteBuffer.wrap(cut)));
        }
    }

    @Test
    void shouldCoverOnlyRangesInsideARegion() {
        PeerRegions regions = hello().regions();
        long end = RemoteAddress.of(3, 2, 4096);
        assertThat(regions.covers(RemoteAddress.of(3, 2, 0), 4096)).isTrue();
        assertThat(regions.covers(RemoteAddress.of(3, 2, 0), 4097)).isFalse();
        assertThat(regions.covers(end, 0)).isTrue();
        assertThat(regions.covers(end, 1)).isFalse();
        assertThat(regions.covers(end + 1, 0)).isFalse();
        assertThat(regions.covers(RemoteAddress.of(3, 2, 8), -1)).isFalse();
        assertThat(regions.covers(RemoteAddress.of(3, 1, 0), 0)).isFalse();
        assertThat(regions.covers(RemoteAddress.of(3, 3, 0), 8)).isFalse();
        assertThat(regions.covers(RemoteAddress.of(3, RemoteAddress.MAX_REGION, BIG - 8), 8))
                .isTrue();
        assertThat(regions.covers(RemoteAddress.of(3, RemoteAddress.MAX_REGION, BIG - 7), 8))
                .isFalse();
    }

    private static Hello hello() {
        PeerRegions regions = new PeerRegions();
        regions.add(2, 0x2000, 4096, 77);
        regions.add(RemoteAddress.MAX_REGION, 1L << 40, BIG, -9);
        return new Hello(8, 4, 2, 1, -2, 3, true, 1024, 16, 17, "UD", new byte[] {1, 2, 3}, regions);
    }
}
