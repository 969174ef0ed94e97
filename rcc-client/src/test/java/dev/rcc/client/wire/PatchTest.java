package dev.rcc.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class PatchTest {
    @Test
    void shouldWriteAllPartsOfWhichTheLastCounts() {
        byte[] record = {1, 2, 3, 4, 5};
        Patch patch = Patch.write(1, (byte) 9, (byte) 9).andWrite(2, (byte) 8).ifThere(3, (byte) 4, (byte) 5);
        assertThat(patch.applyTo(record)).isTrue();
        assertThat(record).containsExactly(1, 9, 8, 4, 5);
        assertThat(patch.end()).isEqualTo(5);
    }

    @Test
    void shouldWriteNothingUnlessEverythingIsAsExpected() {
        byte[] record = {1, 2, 3, 4, 5};
        Patch patch = Patch.write(0, (byte) 9).ifThere(0, (byte) 1).ifThere(3, (byte) 4, (byte) 6);
        assertThat(patch.applyTo(record)).isFalse();
        assertThat(record).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void shouldRejectPartsThatNoRecordCanHave() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Patch.write(-1, (byte) 0))
                .withMessage("a part's offset must be 0 to 65535, got -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Patch.write(0))
                .withMessage("the bytes of a part at 0 must be 1 to 65536, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Patch.write(0, (byte) 0).ifThere(65_535, (byte) 1, (byte) 2))
                .withMessage("the bytes of a part at 65535 must be 1 to 1, got 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Patch(List.of(), List.of()))
                .withMessage("parts that are written must be 1 to 255, got 0");
    }
}
