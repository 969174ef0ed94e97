package dev.rcc.transport.verbs.darpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class DarpcOptionsTest {
    @Test
    void shouldNameOptionGivenAndAllowed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DarpcOptions(0, 1024, 0, 1000))
                .withMessage("darpc-calls-per-peer must be 1 to 1024, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DarpcOptions(1, 1 << 21, 0, 1000))
                .withMessage("darpc-message-bytes must be 64 to 1048576, got 2097152");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DarpcOptions(1, 1024, -1, 1000))
                .withMessage("darpc-inline-bytes must be 0 to 1024, got -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DarpcOptions(1, 1024, 0, 0))
                .withMessage("darpc-connect-timeout-ms must be 100 to 600000, got 0");
    }

    // DaRPC has one buffer for all messages of a connection, and counts its bytes in an int.
    @Test
    void shouldRefuseMoreThanFitsInABuffer() {
        DarpcOptions most = new DarpcOptions(1024, 1 << 18, 0, 1000);
        assertThat(most.bufferBytes()).isPositive().isLessThanOrEqualTo(Integer.MAX_VALUE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DarpcOptions(1024, 1 << 19, 0, 1000))
                .withMessageContainingAll("darpc-calls-per-peer 1024", "darpc-message-bytes 524288");
    }
}
