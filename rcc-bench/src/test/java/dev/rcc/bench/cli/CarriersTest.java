package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The threads that carry a benchmark's clients. */
class CarriersTest {
    @Test
    void shouldLeaveAProcessorToTheEventLoop() {
        assertThat(Rcc.carriers(2)).isEqualTo(1);
        assertThat(Rcc.carriers(16)).isEqualTo(15);
    }

    @Test
    void shouldCarryClientsWhereThereIsOneProcessor() {
        assertThat(Rcc.carriers(1)).isEqualTo(1);
    }
}
