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

    // Goal: transactions do not wait again for as long as the first time, whenever the pause is over.
    @Test
    void shouldTryForAShortTimeOnceAnAttemptHasFailed() {
        Duration reach = Duration.ofSeconds(30);
        assertThat(givenUp.patience(NODE, INCARNATION, reach)).isEqualTo(reach);
        Duration _ = givenUp.add(NODE, INCARNATION);
        assertThat(givenUp.patience(NODE, INCARNATION, reach)).isEqualTo(Duration.ofSeconds(3));
        assertThat(givenUp.patience(NODE, INCARNATION + 1, reach)).isEqualTo(reach);
        assertThat(givenUp.patience(NODE + 1, INCARNATION, reach)).isEqualTo(reach);
    }

    @Test
    void shouldForgetANodeThatHasJoined() {
        Duration first = givenUp.add(NODE, INCARNATION);
        givenUp.forget(NODE);
        assertThat(givenUp.isNow(NODE, INCARNATION)).isFalse();
        assertThat(givenUp.add(NODE, INCARNATION)).isEqualTo(first);
    }
}
