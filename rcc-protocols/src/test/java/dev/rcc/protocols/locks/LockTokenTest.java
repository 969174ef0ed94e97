package dev.rcc.protocols.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LockTokenTest {
    @Test
    void shouldKeepItsPartsApartAtTheirLimits() {
        long greatest = LockToken.of(LockToken.MAX_EPOCH, LockToken.MAX_GENERATION, LockToken.MAX_TICKET);
        assertThat(greatest).isEqualTo(Long.MAX_VALUE);
        assertThat(LockToken.epoch(greatest)).isEqualTo(LockToken.MAX_EPOCH);
        assertThat(LockToken.generation(greatest)).isEqualTo(LockToken.MAX_GENERATION);
        assertThat(LockToken.ticket(greatest)).isEqualTo(LockToken.MAX_TICKET);
        assertThat(LockToken.of(0, 0, 0)).isZero();
        assertThat(LockToken.toString(LockToken.of(3, 2, 1))).isEqualTo("3.2.1");
    }

    @Test
    void shouldGrowWithTicketThenGenerationThenConfiguration() {
        assertThat(LockToken.of(0, 1, 0)).isGreaterThan(LockToken.of(0, 0, LockToken.MAX_TICKET));
        assertThat(LockToken.of(1, 0, 0))
                .isGreaterThan(LockToken.of(0, LockToken.MAX_GENERATION, LockToken.MAX_TICKET));
    }

    @Test
    void shouldRejectAValueThatDoesNotFit() {
        assertThatThrownBy(() -> LockToken.of(LockToken.MAX_EPOCH + 1, 0, 0))
                .hasMessageContaining("configuration 16384 (0 to 16383)");
        assertThatThrownBy(() -> LockToken.of(0, LockToken.MAX_GENERATION + 1, 0))
                .hasMessageContaining("generation");
        assertThatThrownBy(() -> LockToken.of(0, 0, -1)).hasMessageContaining("ticket -1 (0 to 131071)");
    }
}
