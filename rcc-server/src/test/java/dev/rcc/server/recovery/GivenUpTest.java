package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GivenUpTest {
    private static final int NODE = 2;
    private static final long INCARNATION = 17;

    private final GivenUp givenUp = new GivenUp();

    @Test
    void shouldPauseForLongerAfterEachAttempt() {
        assertThat(Stream.generate(() -> givenUp.add(NODE, INCARNATION)).limit(7))
                .containsExactly(
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(4),
                        Duration.ofMinutes(8),
                        Duration.ofMinutes(16),
                        Duration.ofMinutes(16),
                        Duration.ofMinutes(16));
        assertThat(givenUp.isNow(NODE, INCARNATION)).isTrue();
    }

    @Test
    void shouldTryAnotherNodeOrIncarnationAtOnce() {
        Duration first = givenUp.add(NODE, INCARNATION);
        assertThat(givenUp.isNow(NODE, INCARNATION + 1)).isFalse();
        assertThat(givenUp.isNow(NODE + 1, INCARNATION)).isFalse();
        assertThat(givenUp.add(NODE, INCARNATION)).isGreaterThan(first);
        assertThat(givenUp.add(NODE, INCARNATION + 1)).isEqualTo(first);
    }

    @Test
    void shouldForgetANodeThatHasJoined() {
        Duration first = givenUp.add(NODE, INCARNATION);
        givenUp.forget(NODE);
        assertThat(givenUp.isNow(NODE, INCARNATION)).isFalse();
        assertThat(givenUp.add(NODE, INCARNATION)).isEqualTo(first);
    }
}
