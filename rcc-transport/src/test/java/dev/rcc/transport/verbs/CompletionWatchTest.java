package dev.rcc.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CompletionWatchTest {
    private static final long LIMIT = 100;

    private final CompletionWatch watch = new CompletionWatch(LIMIT);

    @Test
    void shouldBeOverdueWhenNothingCompletesWithinTheLimit() {
        assertThat(watch.isOverdue(7, 2, 1_000)).isFalse();
        assertThat(watch.isOverdue(7, 3, 1_100)).as("at the limit").isFalse();
        assertThat(watch.isOverdue(7, 3, 1_101)).isTrue();
    }

    @Test
    void shouldRestartTheTimeoutAfterEachCompletion() {
        assertThat(watch.isOverdue(7, 2, 1_000)).isFalse();
        assertThat(watch.isOverdue(8, 2, 1_090)).isFalse();
        assertThat(watch.isOverdue(8, 2, 1_190)).isFalse();
        assertThat(watch.isOverdue(8, 2, 1_191)).isTrue();
    }

    // Goal: a request that is posted after a long silence gets the full timeout, though nothing has
    // completed meanwhile.
    @Test
    void shouldNotCountTheTimeInWhichNothingIsOutstanding() {
        assertThat(watch.isOverdue(7, 1, 1_000)).isFalse();
        assertThat(watch.isOverdue(8, 0, 1_050)).isFalse();
        assertThat(watch.isOverdue(8, 1, 5_000)).isFalse();
        assertThat(watch.isOverdue(8, 1, 5_100)).isFalse();
        assertThat(watch.isOverdue(8, 1, 5_101)).isTrue();
    }
}
