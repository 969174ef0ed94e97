package dev.rcc.transport.verbs.ud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.transport.verbs.ud.UdDescription.QueuePairKey;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class UdDescriptionTest {
    private final UdDescription description = new UdDescription(
            -7,
            65_535,
            0xFE80L << 48,
            -1L,
            4096,
            32,
            List.of(new QueuePairKey(17, 1), new QueuePairKey(0xFFFFFF, Integer.MAX_VALUE)));

    @Test
    void shouldReadBackItsOwnOutput() {
        assertThat(UdDescription.decode(description.encode())).isEqualTo(description);
    }

    @Test
    void shouldRejectBytesOfAnotherLengthOrFormat() {
        byte[] bytes = description.encode();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatIllegalArgumentException()
                    .as("%d bytes", length)
                    .isThrownBy(() -> UdDescription.decode(cut))
                    .withMessageContaining("RPC over UD");
        }
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 8);
        assertThatIllegalArgumentException().isThrownBy(() -> UdDescription.decode(longer));
        bytes[3]++;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UdDescription.decode(bytes))
                .withMessage("the peer's RPC over UD is of format 2, this one of format 1");
    }
}
