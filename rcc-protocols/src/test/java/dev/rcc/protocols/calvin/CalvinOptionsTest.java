package dev.rcc.protocols.calvin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class CalvinOptionsTest {
    @Test
    void shouldTakeTheFirstAndLastValueOfEveryRange() {
        assertThat(new CalvinOptions(0, 1, 1024).batchBytes()).isEqualTo(1024);
        assertThat(new CalvinOptions(1_000_000_000, Integer.MAX_VALUE, 16 << 20).epochNanos())
                .isEqualTo(1_000_000_000);
    }

    @Test
    void shouldRejectAndReportAValueThatIsNotAllowed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CalvinOptions(-1, 1, 1024))
                .withMessageContaining("0 to 1000000000 ns, got -1");
        assertThatIllegalArgumentException().isThrownBy(() -> new CalvinOptions(1_000_000_001, 1, 1024));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CalvinOptions(0, 0, 1024))
                .withMessageContaining("at least 1, got 0");
        for (int bytes : new int[] {960, 1025, (16 << 20) + 64}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new CalvinOptions(0, 1, bytes))
                    .withMessageContaining("got " + bytes);
        }
    }
}
