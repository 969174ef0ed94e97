package dev.rcc.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class VerbsOptionsTest {
    @Test
    void shouldTakeBothEndsOfARangeAndNothingBeyond() {
        assertThat(VerbsOptions.DEFAULT.withQpsPerPeer(1).qpsPerPeer()).isOne();
        assertThat(VerbsOptions.DEFAULT.withQpsPerPeer(64).qpsPerPeer()).isEqualTo(64);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VerbsOptions.DEFAULT.withQpsPerPeer(0))
                .withMessage("qps-per-peer must be 1 to 64, got 0");
        assertThatIllegalArgumentException().isThrownBy(() -> VerbsOptions.DEFAULT.withQpsPerPeer(65));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VerbsOptions.DEFAULT.withSendQueueDepth(1))
                .withMessageContainingAll("send-queue-depth", "2", "1");
    }

    @Test
    void shouldChangeOnlyTheGivenOption() {
        assertThat(VerbsOptions.DEFAULT.withDevice("mlx5_0").withDevice("")).isEqualTo(VerbsOptions.DEFAULT);
        assertThat(VerbsOptions.DEFAULT.withSendQueueDepth(5).withSendQueueDepth(128))
                .isEqualTo(VerbsOptions.DEFAULT);
        assertThat(VerbsOptions.DEFAULT.withRpc(VerbsOptions.Rpc.UD)).isEqualTo(VerbsOptions.DEFAULT);
    }
}
