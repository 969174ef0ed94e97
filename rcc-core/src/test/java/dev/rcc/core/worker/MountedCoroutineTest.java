package dev.rcc.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MountedCoroutineTest extends CoroutineContract {
    @Override
    boolean mountsCoroutines() {
        return true;
    }

    @Override
    int manySwitches() {
        return 200_000;
    }

    @Override
    int wakeUps() {
        return 3000;
    }

    @Test
    void shouldBeTheFormThatTheBuildsJvmTakes() {
        assertThat(VirtualThreads.canSchedule()).isTrue();
        try (EventLoop loop = new EventLoop(0, 0, 1)) {
            assertThat(loop.mountsCoroutines()).isTrue();
        }
    }
}
