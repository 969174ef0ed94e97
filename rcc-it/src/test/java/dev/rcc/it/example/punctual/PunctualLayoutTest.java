package dev.rcc.it.example.punctual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.protocols.locking.LockMode;
import org.junit.jupiter.api.Test;

/** The lock word, and the decisions of the rules for its values. */
class PunctualLayoutTest {
    private static final long SMALLEST = Timestamp.of(1, 0, 0);
    private static final long LARGEST = Timestamp.of(Timestamp.MAX_CLOCK, Timestamp.MAX_NODE, Timestamp.MAX_COROUTINE);

    private final PunctualRules rules = new PunctualRules(1);

    @Test
    void shouldDistinguishSharersFromEveryWriter() {
        assertThat(PunctualLayout.isShared(PunctualLayout.FREE)).isFalse();
        assertThat(PunctualLayout.isShared(PunctualLayout.ONE_SHARER)).isTrue();
        assertThat(PunctualLayout.isShared(PunctualLayout.MAX_SHARED)).isTrue();
        for (long owner : new long[] {SMALLEST, LARGEST}) {
            assertThat(PunctualLayout.isShared(owner)).isFalse();
            assertThat(rules.grant(owner, LockMode.SHARED, SMALLEST + 1)).isEqualTo(PunctualLayout.FREE);
            assertThat(rules.grant(owner, LockMode.EXCLUSIVE, SMALLEST + 1)).isEqualTo(PunctualLayout.FREE);
        }
    }

    @Test
    void shouldGrantNoMoreSharedLocksThanItCanCount() {
        assertThat(rules.grant(PunctualLayout.FREE, LockMode.SHARED, SMALLEST)).isEqualTo(PunctualLayout.ONE_SHARER);
        assertThat(rules.grant(PunctualLayout.MAX_SHARED - 1, LockMode.SHARED, SMALLEST))
                .isEqualTo(PunctualLayout.MAX_SHARED);
        assertThat(rules.grant(PunctualLayout.MAX_SHARED, LockMode.SHARED, SMALLEST))
                .isEqualTo(PunctualLayout.FREE);
        assertThat(rules.grant(PunctualLayout.ONE_SHARER, LockMode.EXCLUSIVE, SMALLEST))
                .isEqualTo(PunctualLayout.FREE);
    }

    @Test
    void shouldMakeALockOfTheOnlySharerExclusive() {
        assertThat(rules.upgrade(PunctualLayout.ONE_SHARER, LARGEST)).isEqualTo(LARGEST);
        assertThat(rules.upgrade(PunctualLayout.ONE_SHARER + 1, LARGEST)).isEqualTo(PunctualLayout.FREE);
    }

    @Test
    void shouldLetOnlyTheEarlierWaitAndOnlyForAWriter() {
        assertThat(rules.refusal(LARGEST, SMALLEST)).isNull();
        assertThat(rules.refusal(SMALLEST, LARGEST)).isEqualTo(AbortReason.LOCK_CONFLICT);
        assertThat(rules.refusal(SMALLEST, SMALLEST)).isEqualTo(AbortReason.LOCK_CONFLICT);
        assertThat(rules.refusal(PunctualLayout.ONE_SHARER, SMALLEST)).isEqualTo(AbortReason.LOCK_CONFLICT);
        assertThat(rules.refusal(PunctualLayout.MAX_SHARED, SMALLEST)).isEqualTo(AbortReason.LOCK_CONFLICT);
    }
}
