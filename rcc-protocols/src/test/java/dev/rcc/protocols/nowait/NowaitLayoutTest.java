package dev.rcc.protocols.nowait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.time.Timestamp;
import org.junit.jupiter.api.Test;

class NowaitLayoutTest {

    @Test
    void shouldShareUntilTheCountIsFull() {
        assertThat(NowaitLayout.canShare(NowaitLayout.FREE)).isTrue();
        assertThat(NowaitLayout.canShare(1)).isTrue();
        assertThat(NowaitLayout.canShare(NowaitLayout.MAX_SHARED - 1)).isTrue();
        assertThat(NowaitLayout.canShare(NowaitLayout.MAX_SHARED)).isFalse();
    }

    @Test
    void shouldNotShareWithAnyAttempt() {
        assertThat(NowaitLayout.canShare(Timestamp.of(1, 0, 0))).isFalse();
        assertThat(NowaitLayout.canShare(
                        Timestamp.of(Timestamp.MAX_CLOCK, Timestamp.MAX_NODE, Timestamp.MAX_COROUTINE)))
                .isFalse();
    }

    @Test
    void shouldCountAllCoroutinesOfTheLargestClusterButNeverLookLikeAnAttempt() {
        long coroutines = (Timestamp.MAX_NODE + 1L) * (Timestamp.MAX_COROUTINE + 1L);
        assertThat(NowaitLayout.MAX_SHARED).isEqualTo(coroutines - 1).isLessThan(Timestamp.of(1, 0, 0));
    }
}
