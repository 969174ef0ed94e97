package dev.rcc.protocols.waitdie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.Seeds;
import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.locking.LockMode;
import dev.rcc.protocols.locking.LockRules;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WaitdieRulesTest {
    private static final LockRules RULES = new WaitdieRules(LockMode.SHARED, 1);
    private static final int NOBODY = -1;

    @Test
    void shouldUpgradeOnlyASoleSharerWithAnyClockInTheWord() {
        long owner = Timestamp.of(9, 1, 1);
        long remembering =
                RULES.grant(RULES.grant(LockRules.FREE, LockMode.SHARED, Timestamp.of(3, 0, 0)), LockMode.SHARED, owner)
                        - 1;
        assertThat(RULES.upgrade(RULES.soleSharer(owner), owner)).isEqualTo(owner);
        assertThat(RULES.upgrade(remembering, owner)).isEqualTo(owner);
        assertThat(RULES.upgrade(remembering + 1, owner)).isEqualTo(LockRules.FREE);
        assertThat(RULES.upgrade(RULES.residue(owner), owner)).isEqualTo(LockRules.FREE);
        assertThat(RULES.upgrade(LockRules.FREE, owner)).isEqualTo(LockRules.FREE);
        assertThat(RULES.upgrade(Timestamp.of(3, 0, 0), owner)).isEqualTo(LockRules.FREE);
    }

    // Two sharers with the same clock that both want the lock exclusive must not wait for each other: no
    // sharer waits.
    @Test
    void shouldNotLetASharerWaitToHaveTheLockAlone() {
        long one = Timestamp.of(9, 1, 1);
        long other = Timestamp.of(9, 2, 2);
        long word = RULES.grant(RULES.grant(LockRules.FREE, LockMode.SHARED, one), LockMode.SHARED, other);
        assertThat(RULES.refusal(word, one)).isEqualTo(ConflictReasons.WAIT_DIE_DIED);
        assertThat(RULES.refusal(word, other)).isEqualTo(ConflictReasons.WAIT_DIE_DIED);
    }

    @Test
    void shouldCloseASharedLockForOneThatHasWantedItAloneForLong() {
        long owner = Timestamp.of(1_000_000, 1, 1);
        long begun = 1_000_000L * Timestamp.TICK_NANOS;
        long word = RULES.grant(LockRules.FREE, LockMode.SHARED, Timestamp.of(9, 1, 1));
        assertThat(RULES.close(word, owner, begun + 4_999_999)).isEqualTo(word);
        assertThat(RULES.grant(word, LockMode.SHARED, owner)).isNotEqualTo(LockRules.FREE);
        long closed = RULES.close(word, owner, begun + 5_000_000);
        assertThat(RULES.grant(closed, LockMode.SHARED, owner)).isEqualTo(LockRules.FREE);
        assertThat(RULES.upgrade(closed, owner)).isEqualTo(owner);
    }

    // Method: transactions take, share, upgrade and drop a few locks at random, by the lock words alone. Once
    // all waiters have looked again, each must be older than every transaction that really holds the lock:
    // then no cycle is possible.
    @Test
    void shouldLeaveNoWaiterBehindAnOlderHolderAfterAllHaveRechecked() {
        Seeds.forEach(200, random -> new Model(random).run(400));
    }

    /** Transactions and locks without a network; each step is one CAS or FETCH_ADD. */
    private static final class Model {
        private static final int TXNS = 6;
        private static final int LOCKS = 3;

        private final SplittableRandom random;
        private final long[] ages = new long[TXNS];
        private final long[] words = new long[LOCKS];
        private final LockMode[][] held = new LockMode[TXNS][LOCKS];
        private final int[] waitsFor = new int[TXNS];
        private final LockMode[] wanted = new LockMode[TXNS];
        private long clock = 1;

        Model(SplittableRandom random) {
            this.random = random;
            Arrays.fill(waitsFor, NOBODY);
            for (int txn = 0; txn < TXNS; txn++) {
                Arrays.fill(held[txn], LockMode.NONE);
                begin(txn);
            }
        }

        void run(int steps) {
            int waits = 0;
            for (int i = 0; i < steps; i++) {
                int txn = random.nextInt(TXNS);
                if (waitsFor[txn] != NOBODY) {
                    look(txn);
                } else if (random.nextInt(4) == 0) {
                    end(txn, true);
                } else {
                    waitsFor[txn] = random.nextInt(LOCKS);
                    wanted[txn] = random.nextBoolean() ? LockMode.SHARED : LockMode.EXCLUSIVE;
                    look(txn);
                }
                for (int other = 0; other < TXNS; other++) {
                    waits += waitsFor[other] != NOBODY ? 1 : 0;
                }
                if (i % 5 == 0) {
                    lookUntilNothingChanges();
                    assertWaitsPointToYounger();
                }
            }
            assertThat(waits).as("waits, without which this test says nothing").isPositive();
        }

        private void lookUntilNothingChanges() {
            long[] before;
            do {
                before = words.clone();
                for (int txn = 0; txn < TXNS; txn++) {
                    look(txn);
                }
            } while (!Arrays.equals(before, words));
        }

        /** Begins a transaction. Often several transactions have the same clock, on different nodes. */
        private void begin(int txn) {
            clock += random.nextInt(2);
            ages[txn] = Timestamp.of(clock, txn, random.nextInt(3));
        }

        private void look(int txn) {
            int lock = waitsFor[txn];
            if (lock == NOBODY) {
                return;
            }
            LockMode mode = held[txn][lock];
            if (!mode.covers(wanted[txn])) {
                long granted = mode == LockMode.SHARED
                        ? RULES.upgrade(words[lock], ages[txn])
                        : RULES.grant(words[lock], wanted[txn], ages[txn]);
                if (granted == LockRules.FREE) {
                    if (RULES.refusal(words[lock], ages[txn]) != null) {
                        end(txn, false);
                    }
                    return;
                }
                words[lock] = granted;
                held[txn][lock] = wanted[txn];
            }
            waitsFor[txn] = NOBODY;
        }

        private void end(int txn, boolean committed) {
            waitsFor[txn] = NOBODY;
            for (int lock = 0; lock < LOCKS; lock++) {
                if (held[txn][lock] == LockMode.EXCLUSIVE) {
                    assertThat(words[lock]).isEqualTo(ages[txn]);
                    words[lock] = LockRules.FREE;
                } else if (held[txn][lock] == LockMode.SHARED) {
                    words[lock]--;
                    if (words[lock] == RULES.residue(ages[txn])) {
                        words[lock] = LockRules.FREE;
                    }
                }
                held[txn][lock] = LockMode.NONE;
            }
            if (committed) {
                begin(txn);
            }
        }

        private void assertWaitsPointToYounger() {
            for (int txn = 0; txn < TXNS; txn++) {
                for (int other = 0; other < TXNS && waitsFor[txn] != NOBODY; other++) {
                    if (other != txn && held[other][waitsFor[txn]] != LockMode.NONE) {
                        assertThat(Timestamp.isBefore(ages[txn], ages[other]))
                                .as("%s is older than %s, for which it waits", txn, other)
                                .isTrue();
                    }
                }
            }
        }
    }
}
