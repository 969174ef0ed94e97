package dev.rcc.protocols.waitdie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.locking.LockRules;
import org.junit.jupiter.api.Test;

class WaitdieLayoutTest {
    private static final long FIRST_OWNER = Timestamp.of(1, 0, 0);
    private static final long LAST_OWNER =
            Timestamp.of(WaitdieLayout.MAX_CLOCK, Timestamp.MAX_NODE, Timestamp.MAX_COROUTINE);
    private static final long[] OWNERS = {FIRST_OWNER, age(1, 255, 1023), age(77, 3, 5), LAST_OWNER};

    private static long age(long clock, int node, int coroutine) {
        return WaitdieLayout.owner(Timestamp.of(clock, node, coroutine));
    }

    @Test
    void shouldBeAnOwnersOwnWordWhenExclusiveUpToTheLastClock() {
        for (long owner : OWNERS) {
            assertThat(WaitdieLayout.owner(owner)).isEqualTo(owner).isPositive();
            assertThat(WaitdieLayout.isFree(owner)).isFalse();
            assertThat(WaitdieLayout.isShared(owner)).isFalse();
            assertThat(WaitdieLayout.canShare(owner)).isFalse();
        }
    }

    @Test
    void shouldRejectAClockThatDoesNotFitAndSuggestANewCluster() {
        assertThat(WaitdieLayout.owner(LAST_OWNER)).isEqualTo(LAST_OWNER);
        assertThatIllegalStateException()
                .isThrownBy(() -> WaitdieLayout.owner(LAST_OWNER + 1))
                .withMessageContaining("end at clock 35184372088831, got 35184372088832")
                .withMessageContaining("new cluster");
        assertThatIllegalStateException().isThrownBy(() -> WaitdieLayout.owner(-1));
    }

    // Every owner's clock with every possible count: no count carries into the clock, none borrows from it.
    @Test
    void shouldCountToTheLimitAndBackWithoutTouchingTheClock() {
        for (long owner : OWNERS) {
            long residue = WaitdieLayout.residue(owner);
            long word = LockRules.FREE;
            for (long sharers = 1; sharers <= WaitdieLayout.MAX_SHARED; sharers++) {
                boolean joins = WaitdieLayout.canShare(word);
                word = WaitdieLayout.share(word, owner);
                boolean counted = WaitdieLayout.sharers(word) == sharers && WaitdieLayout.isShared(word);
                if (!joins || !counted || word != residue + sharers) { // assertThat would take a second
                    throw new AssertionError("sharer " + sharers + " makes it " + Long.toHexString(word));
                }
            }
            assertThat(WaitdieLayout.canShare(word)).isFalse();
            assertThat(word).isEqualTo(residue | WaitdieLayout.MAX_SHARED).isNegative();
            assertThat(WaitdieLayout.isFree(word - WaitdieLayout.MAX_SHARED + 1))
                    .isFalse();
            assertThat(word - WaitdieLayout.MAX_SHARED).isEqualTo(residue);
            assertThat(WaitdieLayout.isFree(residue)).isTrue();
            assertThat(WaitdieLayout.isShared(residue)).isFalse();
        }
    }

    @Test
    void shouldAdmitNoSharerToAClosedLockAndFreeItAfterItsLastSharer() {
        long word = WaitdieLayout.close(
                WaitdieLayout.share(WaitdieLayout.share(LockRules.FREE, age(7, 3, 5)), age(9, 0, 0)));
        assertThat(WaitdieLayout.isShared(word)).isTrue();
        assertThat(WaitdieLayout.sharers(word)).isEqualTo(2);
        assertThat(WaitdieLayout.canShare(word)).isFalse();
        assertThat(WaitdieLayout.mayWait(word, age(6, 0, 0))).isTrue();
        assertThat(WaitdieLayout.mayWait(word, age(7, 0, 0))).isFalse();
        long left = word - 2;
        assertThat(WaitdieLayout.isFree(left)).isTrue();
        assertThat(WaitdieLayout.isShared(left)).isFalse();
        assertThat(WaitdieLayout.share(left, age(9, 1, 1))).isEqualTo(WaitdieLayout.residue(age(9, 0, 0)) + 1);
    }

    @Test
    void shouldKeepTheOldestSharersClockInAnyJoinOrder() {
        long[][] orders = {{5, 7, 9}, {9, 7, 5}, {7, 5, 9}, {7, 9, 5}};
        for (long[] order : orders) {
            long word = LockRules.FREE;
            for (long clock : order) {
                word = WaitdieLayout.share(word, age(clock, 3, 4));
            }
            assertThat(word).isEqualTo(WaitdieLayout.residue(age(5, 0, 0)) + 3);
        }
    }

    @Test
    void shouldReplaceTheClockThatTheLastSharerLeft() {
        long word = WaitdieLayout.share(WaitdieLayout.residue(age(5, 0, 0)), age(9, 1, 1));
        assertThat(word).isEqualTo(WaitdieLayout.residue(age(9, 0, 0)) + 1);
    }

    @Test
    void shouldLetExactlyTheOlderWaitForAnExclusiveHolder() {
        long holder = age(7, 3, 5);
        assertThat(WaitdieLayout.mayWait(holder, age(7, 3, 4))).isTrue();
        assertThat(WaitdieLayout.mayWait(holder, age(7, 2, 1000))).isTrue();
        assertThat(WaitdieLayout.mayWait(holder, age(6, 200, 1000))).isTrue();
        assertThat(WaitdieLayout.mayWait(holder, holder)).isFalse();
        assertThat(WaitdieLayout.mayWait(holder, age(7, 3, 6))).isFalse();
        assertThat(WaitdieLayout.mayWait(holder, age(8, 0, 0))).isFalse();
        assertThat(WaitdieLayout.mayWait(LAST_OWNER, FIRST_OWNER)).isTrue();
        assertThat(WaitdieLayout.mayWait(FIRST_OWNER, LAST_OWNER)).isFalse();
    }

    // The word does not contain the nodes and coroutines of sharers: of two transactions with the same
    // clock, neither waits.
    @Test
    void shouldLetOnlyThoseWaitForSharersWhoseClockIsLessThanTheOldestSharers() {
        long word = WaitdieLayout.share(WaitdieLayout.share(LockRules.FREE, age(9, 0, 0)), age(7, 3, 5));
        assertThat(WaitdieLayout.mayWait(word, age(6, 255, 1023))).isTrue();
        assertThat(WaitdieLayout.mayWait(word, age(7, 0, 0))).isFalse();
        assertThat(WaitdieLayout.mayWait(word, age(7, 3, 5))).isFalse();
        assertThat(WaitdieLayout.mayWait(word, age(8, 0, 0))).isFalse();
        assertThat(WaitdieLayout.mayWait(WaitdieLayout.residue(LAST_OWNER) + 1, FIRST_OWNER))
                .isTrue();
    }

    // The oldest sharer has left, but its clock stays: a transaction that could wait for the remaining
    // sharers dies.
    @Test
    void shouldOnlyLetFewerWaitWhenTheOldestSharerHasGone() {
        long word = WaitdieLayout.share(WaitdieLayout.share(LockRules.FREE, age(9, 0, 0)), age(7, 3, 5)) - 1;
        assertThat(WaitdieLayout.sharers(word)).isEqualTo(1);
        assertThat(WaitdieLayout.mayWait(word, age(8, 0, 0))).isFalse();
        assertThat(WaitdieLayout.mayWait(word, age(6, 0, 0))).isTrue();
    }
}
