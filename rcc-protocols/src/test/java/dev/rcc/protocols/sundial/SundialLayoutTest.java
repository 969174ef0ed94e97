package dev.rcc.protocols.sundial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.optimistic.LockRules;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SundialLayoutTest {
    private static final long[] TIMES = {0, 1, 2, SundialLayout.MAX_TIME - 1, SundialLayout.MAX_TIME};
    private static final long[] HOLDERS = {
        Timestamp.of(1, 0, 0),
        Timestamp.of(1, 0, 1),
        Timestamp.of(1, 1, 0),
        Timestamp.of(Timestamp.MAX_CLOCK, Timestamp.MAX_NODE, 0),
        Timestamp.of(Timestamp.MAX_CLOCK, 0, Timestamp.MAX_COROUTINE),
        Timestamp.of(Timestamp.MAX_CLOCK, Timestamp.MAX_NODE, Timestamp.MAX_COROUTINE)
    };

    private final SundialRules waitDie = new SundialRules(WriteConflict.WAIT_DIE);
    private final SundialRules noWait = new SundialRules(WriteConflict.NO_WAIT);

    @Test
    void shouldKeepOwnerAndRtsApartAtTheirLimits() {
        for (long rts : TIMES) {
            long free = SundialLayout.unlocked(rts);
            assertThat(waitDie.isLockable(free)).isTrue();
            assertThat(waitDie.isReadable(free, 0)).isTrue();
            for (long holder : HOLDERS) {
                long held = waitDie.locked(free, holder);
                long installing = waitDie.installing(held);
                for (long word : new long[] {held, installing}) {
                    assertThat(word).isNotIn(LockRules.NOT_HELD, LockRules.NO_WORD, free);
                    assertThat(SundialLayout.rts(word)).isEqualTo(rts);
                    assertThat(waitDie.isLockable(word)).isFalse();
                    for (long other : HOLDERS) {
                        assertThat(waitDie.isHeldBy(word, other)).isEqualTo(other == holder);
                    }
                    assertThat(waitDie.released(word)).isEqualTo(free);
                    assertThat(waitDie.committed(word, SundialLayout.MAX_TIME))
                            .isEqualTo(SundialLayout.unlocked(SundialLayout.MAX_TIME));
                }
                assertThat(waitDie.isReadable(held, holder)).isTrue();
                assertThat(waitDie.isReadable(installing, holder)).isFalse();
            }
        }
    }

    @Test
    void shouldGiveEveryCoroutineAnOwnersNumberThatIsNot0() {
        Set<Long> owners = new HashSet<>();
        for (int node = 0; node <= Timestamp.MAX_NODE; node++) {
            for (int coroutine = 0; coroutine <= Timestamp.MAX_COROUTINE; coroutine++) {
                owners.add(SundialLayout.ownerOf(Timestamp.of(7, node, coroutine)));
            }
        }
        assertThat(owners)
                .hasSize((Timestamp.MAX_NODE + 1) * (Timestamp.MAX_COROUTINE + 1))
                .doesNotContain(0L);
    }

    @Test
    void shouldTakeNoWordForOneThatIsHeldAndInstalling() {
        assertThat(waitDie.isLockable(LockRules.NO_WORD)).isFalse();
        assertThat(waitDie.isReadable(LockRules.NO_WORD, HOLDERS[0])).isFalse();
        for (long holder : HOLDERS) {
            assertThat(waitDie.isHeldBy(LockRules.NO_WORD, holder)).isFalse();
        }
    }

    @Test
    void shouldLetTheLeaseOfANewTupleEndWithItsVersionOrWhenTimeBegins() {
        assertThat(SundialLayout.leaseEnd(0, 0)).isEqualTo(SundialLayout.BIRTH);
        assertThat(SundialLayout.leaseEnd(0, 1)).isEqualTo(1);
        assertThat(SundialLayout.leaseEnd(0, 9)).isEqualTo(9);
        assertThat(SundialLayout.leaseEnd(SundialLayout.unlocked(12), 9)).isEqualTo(12);
        long held = waitDie.locked(SundialLayout.unlocked(SundialLayout.MAX_TIME), HOLDERS[5]);
        assertThat(SundialLayout.leaseEnd(held, 9)).isEqualTo(SundialLayout.MAX_TIME);
    }

    // An rts that exceeds its field would change the owner.
    @Test
    void shouldAssertThatNoRtsIsPastTheEndOfTime() {
        for (long rts : new long[] {-1, SundialLayout.MAX_TIME + 1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> SundialLayout.unlocked(rts)).isInstanceOf(AssertionError.class);
        }
    }

    // Logs and histories may contain an attempt that failed to log: no other attempt may get the same
    // version.
    @Test
    void shouldUseUpTheCommitTimestampOfAnAttemptThatAbortsWithOne() {
        long held = waitDie.locked(SundialLayout.unlocked(9), HOLDERS[1]);
        assertThat(waitDie.released(held, Timestamp.NONE)).isEqualTo(SundialLayout.unlocked(9));
        assertThat(waitDie.released(held, 10)).isEqualTo(SundialLayout.unlocked(10));
        assertThat(waitDie.released(held, SundialLayout.MAX_TIME))
                .isEqualTo(SundialLayout.unlocked(SundialLayout.MAX_TIME));
    }

    @Test
    void shouldLetOnlyTheOlderWait() {
        long holder = Timestamp.of(50, 3, 4);
        long word = waitDie.locked(SundialLayout.unlocked(9), Timestamp.of(60, 3, 4)); // a later attempt of the holder
        long older = Timestamp.of(40, 9, 9);
        long younger = Timestamp.of(51, 0, 0);
        assertThat(waitDie.conflict(word, holder, older)).isNull();
        assertThat(waitDie.conflict(word, holder, younger)).isEqualTo(ConflictReasons.WAIT_DIE_DIED);
        assertThat(noWait.conflict(word, holder, older)).isEqualTo(AbortReason.LOCK_CONFLICT);
        assertThat(noWait.conflict(word, holder, younger)).isEqualTo(AbortReason.LOCK_CONFLICT);
    }

    // The age of a former holder is ignored. An age of the holder's coroutine is at most too old, which
    // costs an abort.
    @Test
    void shouldAbortAYoungerWaiterOnlyIfTheAgeIsOfTheHoldersCoroutine() {
        long word = waitDie.locked(SundialLayout.unlocked(9), Timestamp.of(60, 3, 4));
        long earlierOfTheHolder = Timestamp.of(10, 3, 4);
        long ofSomebodyElse = Timestamp.of(10, 3, 5);
        long waiter = Timestamp.of(20, 0, 0);
        assertThat(waitDie.conflict(word, earlierOfTheHolder, waiter)).isEqualTo(ConflictReasons.WAIT_DIE_DIED);
        assertThat(waitDie.conflict(word, ofSomebodyElse, waiter)).isNull();
        assertThat(waitDie.conflict(word, 0, waiter)).isNull();
    }

    @Test
    void shouldAllowTimesThatAClusterOfThisAgeCanHaveReached() {
        assertThat(SundialLayout.latestTime(0)).isEqualTo(1L << 32);
        assertThat(SundialLayout.latestTime(-1_000_000_000)).isEqualTo(1L << 32);
        assertThat(SundialLayout.latestTime(3_600_000_000_000L)).isEqualTo((1L << 32) + 3_600_000_000L);
        assertThat(SundialLayout.latestTime(Long.MAX_VALUE)).isEqualTo(SundialLayout.MAX_TIME);
    }
}
