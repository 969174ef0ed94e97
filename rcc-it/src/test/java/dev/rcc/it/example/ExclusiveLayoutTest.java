package dev.rcc.it.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.locking.LockMode;
import org.junit.jupiter.api.Test;

/** The lock word, and the decisions of the rules for its values. */
class ExclusiveLayoutTest {
    private static final long SMALLEST = Timestamp.of(1, 0, 0);
    private static final long LARGEST = Timestamp.of(Timestamp.MAX_CLOCK, Timestamp.MAX_NODE, Timestamp.MAX_COROUTINE);

    private final ExclusiveRules rules = new ExclusiveRules();

    @Test
    void shouldDistinguishAReaderFromEveryWriter() {
        for (long owner : new long[] {SMALLEST, LARGEST}) {
            assertThat(owner).isNotIn(ExclusiveLayout.FREE, ExclusiveLayout.READER);
            assertThat(rules.upgrade(owner, SMALLEST + 1)).isEqualTo(ExclusiveLayout.FREE);
        }
    }

    @Test
    void shouldGrantAFreeLockInAnyModeAndATakenLockInNone() {
        assertThat(rules.grant(ExclusiveLayout.FREE, LockMode.SHARED, SMALLEST)).isEqualTo(ExclusiveLayout.READER);
        assertThat(rules.grant(ExclusiveLayout.FREE, LockMode.EXCLUSIVE, SMALLEST))
                .isEqualTo(SMALLEST);
        for (long taken : new long[] {ExclusiveLayout.READER, SMALLEST, LARGEST}) {
            for (LockMode mode : new LockMode[] {LockMode.SHARED, LockMode.EXCLUSIVE}) {
                assertThat(rules.grant(taken, mode, SMALLEST + 1)).isEqualTo(ExclusiveLayout.FREE);
                assertThat(rules.isFree(taken)).isFalse();
            }
        }
    }

    @Test
    void shouldBeFreeOnceAReaderHasSubtractedItself() {
        assertThat(ExclusiveLayout.READER - 1).isEqualTo(ExclusiveLayout.FREE);
    }
}
