package dev.rcc.protocols.locks.dslr;

import static dev.rcc.protocols.locks.LockMode.EXCLUSIVE;
import static dev.rcc.protocols.locks.LockMode.SHARED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.protocol.Primitive;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockToken;
import dev.rcc.protocols.locks.LoopbackLocks;
import dev.rcc.protocols.locks.LoopbackLocks.Requester;
import dev.rcc.protocols.locks.dslr.PrintedDslr.Answer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The errors of the printed algorithms: each time first that they occur, then that our algorithms do not have them in the same schedule. */
class DslrMendsTest {
    private static final long LEASE = 1_000_000;
    private static final long FOR_EVER = 1_000_000_000_000L;
    private static final long LOCK = LoopbackLocks.address(1);
    private static final long FENCE = DslrWords.fenceAddress(LOCK);

    private final PrintedDslr printed = new PrintedDslr();
    private DslrTerms terms = DslrTerms.DEFAULT.withLease(LEASE);
    private LoopbackLocks lock = locks();

    private LoopbackLocks locks() {
        return new LoopbackLocks(new Dslr(terms), Primitive.ONE_SIDED);
    }

    private DslrLayout layout() {
        return new Dslr(terms).layout();
    }

    /** A requester that has drawn a ticket. */
    private Requester ticket(LockMode mode) {
        return ticket(mode, 1);
    }

    private Requester ticket(LockMode mode, int slots) {
        Requester requester = lock.requester();
        requester.locks.request(LOCK, mode, slots);
        requester.locks.post();
        return requester;
    }

    /** Whether a requester gets the lock. Otherwise it stays in the queue until its time is up. */
    private static boolean has(Requester requester) {
        return requester.locks.await(FOR_EVER) == LockOutcome.GRANTED;
    }

    private static void die(Requester holder) {
        holder.isCutOff = true;
    }

    private long served(LockMode mode) {
        return layout().served(lock.word(LOCK), mode);
    }

    private long generation() {
        return layout().generation(lock.word(FENCE));
    }

    @Nested
    class OrderOfTheTests {
        // An exclusive holder, and three shared requesters behind it; the shared ones return in any order.
        @Test
        void shouldFailSharedTicketsInTheFirstOrderAsPrinted() {
            printed.draw(EXCLUSIVE, 1);
            long first = printed.draw(SHARED, 1);
            long second = printed.draw(SHARED, 1);
            printed.release(EXCLUSIVE, 1);
            assertThat(PrintedDslr.look(second, printed.word, SHARED)).isEqualTo(Answer.SUCCESS);
            printed.release(SHARED, 1);
            long third = printed.draw(SHARED, 1);
            printed.release(SHARED, 1);
            assertThat(PrintedDslr.look(third, printed.word, SHARED)).isEqualTo(Answer.SUCCESS);
            assertThat(PrintedDslr.look(first, printed.word, SHARED))
                    .as("it looks late")
                    .isEqualTo(Answer.FAILURE);
        }

        @Test
        void shouldGrantASharedTicketHoweverManyHaveReturnedBeforeItLooks() {
            Requester writer = ticket(EXCLUSIVE);
            assertThat(has(writer)).isTrue();
            Requester late = ticket(SHARED);
            Requester second = ticket(SHARED);
            Requester third = ticket(SHARED);
            writer.locks.release();
            assertThat(has(second)).isTrue();
            second.locks.release();
            assertThat(has(third)).isTrue();
            third.locks.release();
            assertThat(has(late)).isTrue();
            assertThat(generation()).isZero();
        }

        // The exclusive holder dies; the second of two shared waiters resets; an exclusive requester gets
        // the lock.
        @Test
        void shouldLetASharedTicketInBesideAnExclusiveOneInTheOtherOrder() {
            printed.draw(EXCLUSIVE, 1);
            long shared = printed.draw(SHARED, 1);
            long resetter = printed.draw(SHARED, 1);
            long exclusive = printed.draw(EXCLUSIVE, 1);
            assertThat(printed.reset(resetter, printed.word, SHARED)).isTrue();
            assertThat(PrintedDslr.lookForTheTurnFirst(exclusive, printed.word, EXCLUSIVE))
                    .isEqualTo(Answer.SUCCESS);
            assertThat(PrintedDslr.lookForTheTurnFirst(shared, printed.word, SHARED))
                    .isEqualTo(Answer.SUCCESS);
        }

        @Test
        void shouldFailATicketThatAResetHasCountedAsGoneThoughTheCountersFit() {
            Requester dead = ticket(EXCLUSIVE);
            assertThat(has(dead)).isTrue();
            die(dead);
            Requester shared = ticket(SHARED);
            Requester resetter = ticket(SHARED);
            Requester exclusive = ticket(EXCLUSIVE);
            assertThat(resetter.locks.await(FOR_EVER)).isEqualTo(LockOutcome.LOST);
            assertThat(has(exclusive)).isTrue();
            assertThat(served(EXCLUSIVE)).isEqualTo(1);
            assertThat(shared.locks.await(FOR_EVER)).isEqualTo(LockOutcome.LOST);
        }
    }

    @Nested
    class LateRelease {
        @Test
        void shouldLetTwoInByALateReleaseAsPrinted() {
            printed.word = PrintedDslr.word(5, 0, 5, 0);
            long stalled = printed.draw(EXCLUSIVE, 1);
            long resetter = printed.draw(EXCLUSIVE, 1);
            long holder = printed.draw(EXCLUSIVE, 1);
            long next = printed.draw(EXCLUSIVE, 1);
            assertThat(PrintedDslr.look(stalled, printed.word, EXCLUSIVE)).isEqualTo(Answer.SUCCESS);
            printed.reset(resetter, printed.word, EXCLUSIVE);
            assertThat(PrintedDslr.look(holder, printed.word, EXCLUSIVE)).isEqualTo(Answer.SUCCESS);
            printed.release(EXCLUSIVE, 1); // by the stalled holder, which checked its lease in time
            assertThat(PrintedDslr.look(next, printed.word, EXCLUSIVE)).isEqualTo(Answer.SUCCESS);
        }

        // The FETCH_ADD is posted in time and arrives when a reset is over.
        @Test
        void shouldMakeAllTicketsVoidWhenAReleaseWasTooLate() {
            Requester stalled = ticket(EXCLUSIVE);
            assertThat(has(stalled)).isTrue();
            Requester resetter = ticket(EXCLUSIVE);
            Requester holder = ticket(EXCLUSIVE);
            Requester next = ticket(EXCLUSIVE);
            stalled.before = () -> {
                stalled.before = () -> {};
                assertThat(resetter.locks.await(FOR_EVER)).isEqualTo(LockOutcome.LOST);
                assertThat(has(holder)).isTrue();
            };
            stalled.locks.release();
            assertThat(stalled.counters.lateReleases).isEqualTo(1);
            assertThat(holder.locks.check()).as("the present holder").isFalse();
            assertThat(next.locks.await(FOR_EVER))
                    .as("the waiter that was let in")
                    .isEqualTo(LockOutcome.LOST);
            holder.locks.release();
            Requester newcomer = ticket(EXCLUSIVE);
            assertThat(has(newcomer)).isTrue();
            newcomer.locks.release();
            assertThat(layout().isAtRest(lock.word(LOCK))).isTrue();
        }

        @Test
        void shouldReleaseByCasInTheSecondHalfOfALeaseAndNotAtAllAfterAReset() {
            Requester slow = ticket(EXCLUSIVE);
            assertThat(has(slow)).isTrue();
            slow.worker.nanoTime += LEASE / 2;
            slow.requests.clear();
            slow.locks.release();
            assertThat(slow.requests).containsExactly("read", "cas");
            assertThat(served(EXCLUSIVE)).isEqualTo(1);

            Requester slower = ticket(EXCLUSIVE);
            assertThat(has(slower)).isTrue();
            Requester resetter = ticket(EXCLUSIVE);
            assertThat(resetter.locks.await(FOR_EVER)).isEqualTo(LockOutcome.LOST);
            assertThat(served(EXCLUSIVE)).isEqualTo(3);
            slower.worker.nanoTime += 3 * LEASE;
            slower.locks.release();
            assertThat(served(EXCLUSIVE)).isEqualTo(3);
        }

        @Test
        void shouldNotMakeTheTicketsOfThoseVoidThatShareTheLock() {
            terms = terms.withSlots(3);
            lock = locks();
            Requester longReader = ticket(SHARED, 3);
            assertThat(has(longReader)).isTrue();
            Requester sleeper = ticket(SHARED);
            assertThat(has(sleeper)).isTrue();
            sleeper.worker.nanoTime += LEASE;
            sleeper.locks.release();
            assertThat(generation()).isZero();
            assertThat(longReader.locks.check()).isTrue();
        }

        // A CAS of the counters would race with requesters that are about to declare the holder dead.
        @Test
        void shouldReleaseByTheFenceWhenTheLeaseIsOver() {
            Requester sleeper = ticket(EXCLUSIVE);
            assertThat(has(sleeper)).isTrue();
            Requester next = ticket(EXCLUSIVE);
            sleeper.worker.nanoTime += LEASE;
            sleeper.locks.release();
            assertThat(generation()).isEqualTo(1);
            assertThat(served(EXCLUSIVE)).isEqualTo(1);
            assertThat(has(next)).isTrue();
        }
    }

    @Nested
    class Undoing {
        @Test
        void shouldBorrowThroughAllFieldsAsPrinted() {
            printed.word = PrintedDslr.word(7, PrintedDslr.COUNT_MAX, 7, PrintedDslr.COUNT_MAX);
            printed.draw(SHARED, 1);
            assertThat(printed.zero(printed.word)).isTrue();
            printed.undo(SHARED);
            assertThat(printed.word).isEqualTo(PrintedDslr.word(65_535, 65_535, 65_535, 65_535));
        }

        @Test
        void shouldLeaveAVoidTicketAndReadUntilThereIsRoom() {
            terms = terms.withCountMax(4);
            lock = locks();
            lock.word(LOCK, PrintedDslr.word(1, 4, 1, 4));
            Requester requester = lock.requester();
            requester.locks.request(LOCK, SHARED, 1);
            int[] looks = {0};
            requester.coroutine.whileSleeping = () -> {
                if (++looks[0] == 3) {
                    lock.word(LOCK, 0);
                    lock.word(FENCE, layout().zeroed(layout().nextEra(0)));
                }
            };
            assertThat(has(requester)).isTrue();
            assertThat(requester.requests.stream().filter("fetchAdd"::equals))
                    .as("void and good")
                    .hasSize(2);
            assertThat(requester.requests).doesNotContain("cas");
            assertThat(lock.word(LOCK)).isEqualTo(PrintedDslr.word(0, 0, 0, 1));
        }

        @Test
        void shouldRefuseAClusterWhoseVoidTicketsCouldOverflow() {
            terms = terms.withSlots(1024).withUpdates(true);
            assertThatThrownBy(() -> locks().requester())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("8 coroutines that take up to 1024 slots");
        }
    }

    @Nested
    class SlotsOverTheLimit {
        @Test
        void shouldJumpOverTheTicketThatResetsAsPrinted() {
            printed.word = PrintedDslr.word(0, PrintedDslr.COUNT_MAX - 2, 0, PrintedDslr.COUNT_MAX - 2);
            long crossing = printed.draw(SHARED, 4);
            assertThat(PrintedDslr.isToReset(crossing, SHARED)).isFalse();
            long beyond = printed.draw(SHARED, 4);
            assertThat(PrintedDslr.isToReset(beyond, SHARED))
                    .as("so no ticket resets")
                    .isFalse();
        }

        @Test
        void shouldSetTheCountersToZeroWhenAMultiSlotTicketCrossesTheLimit() {
            terms = terms.withSlots(4).withCountMax(8);
            lock = locks();
            lock.word(LOCK, PrintedDslr.word(0, 6, 0, 6));
            Requester crossing = ticket(SHARED, 4);
            assertThat(has(crossing)).isTrue();
            Requester beyond = ticket(SHARED, 4);
            assertThat(lock.word(LOCK)).isEqualTo(PrintedDslr.word(0, 6, 0, 14));
            crossing.locks.release();
            crossing.runService();
            assertThat(lock.word(LOCK)).isZero();
            assertThat(DslrLayout.era(generation())).isEqualTo(1);
            assertThat(has(beyond)).isTrue();
            assertThat(LockToken.generation(beyond.locks.token(0))).isEqualTo(generation());
        }
    }

    @Nested
    class DeadPredecessor {
        @Test
        void shouldRepeatTheLastLineForEverAsPrinted() {
            printed.word = PrintedDslr.word(0, PrintedDslr.COUNT_MAX - 2, 0, PrintedDslr.COUNT_MAX - 2);
            printed.draw(SHARED, 1); // this requester dies
            long last = printed.draw(SHARED, 1);
            assertThat(PrintedDslr.isToReset(last, SHARED)).isTrue();
            printed.release(SHARED, 1);
            for (int i = 0; i < 100_000; i++) {
                assertThat(printed.zero(PrintedDslr.word(0, PrintedDslr.COUNT_MAX, 0, PrintedDslr.COUNT_MAX)))
                        .isFalse();
            }
        }

        @Test
        void shouldSetTheCountersToZeroWhenTheLeasesOfThoseBeforeAreOver() {
            terms = terms.withCountMax(2);
            lock = locks();
            Requester dead = ticket(SHARED);
            assertThat(has(dead)).isTrue();
            die(dead);
            Requester last = ticket(SHARED);
            assertThat(has(last)).isTrue();
            last.locks.release();
            long began = last.worker.nanoTime;
            last.runService();
            assertThat(lock.word(LOCK)).isZero();
            assertThat(last.worker.nanoTime - began).isBetween(2 * LEASE, 3 * LEASE);
        }

        @Test
        void shouldLetANewcomerSetThemToZeroWhenTheOneThatShouldIsDead() {
            terms = terms.withCountMax(2);
            lock = locks();
            lock.word(LOCK, PrintedDslr.word(0, 1, 0, 1));
            Requester last = ticket(SHARED);
            assertThat(has(last)).isTrue();
            die(last);
            Requester newcomer = ticket(EXCLUSIVE);
            assertThat(has(newcomer)).isTrue();
            assertThat(lock.word(LOCK)).isEqualTo(PrintedDslr.word(0, 0, 1, 0));
            assertThat(DslrLayout.era(generation())).isEqualTo(1);
        }
    }

    @Nested
    class GivenUp {
        @Test
        void shouldStopAllBehindItForTwoLeasesAsPrinted() {
            printed.draw(EXCLUSIVE, 1); // this requester gives up
            long next = printed.draw(EXCLUSIVE, 1);
            assertThat(PrintedDslr.look(next, printed.word, EXCLUSIVE)).isEqualTo(Answer.WAIT);
        }

        @Test
        void shouldPassItsTurnOn() {
            Requester holder = ticket(EXCLUSIVE);
            assertThat(has(holder)).isTrue();
            Requester hasty = ticket(EXCLUSIVE);
            Requester patient = ticket(EXCLUSIVE);
            assertThat(hasty.locks.await(0)).isEqualTo(LockOutcome.TIMED_OUT);
            holder.locks.release();
            hasty.runService();
            patient.requests.clear();
            assertThat(has(patient)).isTrue();
            assertThat(patient.coroutine.sleeps)
                    .as("one look more, and no lease")
                    .containsExactly(2 * terms.pollNanos());
            assertThat(generation()).as("resets").isZero();
        }

        @Test
        void shouldPassTheTurnOnThatItWaitsForBehindADeadHolder() {
            Requester holder = ticket(EXCLUSIVE);
            assertThat(has(holder)).isTrue();
            die(holder);
            Requester hasty = ticket(EXCLUSIVE);
            assertThat(hasty.locks.await(0)).isEqualTo(LockOutcome.TIMED_OUT);
            hasty.runService();
            assertThat(layout().isAtRest(lock.word(LOCK))).isTrue();
        }
    }

    @Nested
    class Tokens {
        // As printed, a lock has no token: a holder that slept cannot be told from the present holder.
        @Test
        void shouldGrowFromHolderToHolderOverResetsAndZeroings() {
            terms = terms.withCountMax(6);
            lock = locks();
            long last = -1;
            for (int i = 0; i < 40; i++) {
                Requester holder = ticket(i % 3 == 0 ? SHARED : EXCLUSIVE);
                LockOutcome outcome = holder.locks.await(FOR_EVER);
                if (outcome == LockOutcome.GRANTED) {
                    assertThat(holder.locks.token(0)).isGreaterThan(last);
                    last = holder.locks.token(0);
                    if (i % 7 == 0) {
                        die(holder);
                    } else {
                        holder.locks.release();
                        holder.runService();
                    }
                }
            }
            assertThat(DslrLayout.era(generation())).isGreaterThan(2);
            assertThat(LockToken.epoch(last)).isEqualTo(3);
        }

        @Test
        void shouldReportALostLockToItsFormerHolder() {
            Requester sleeper = ticket(EXCLUSIVE);
            assertThat(has(sleeper)).isTrue();
            assertThat(sleeper.locks.check()).isTrue();
            Requester resetter = ticket(EXCLUSIVE);
            Requester next = ticket(EXCLUSIVE);
            assertThat(resetter.locks.await(FOR_EVER)).isEqualTo(LockOutcome.LOST);
            assertThat(sleeper.locks.isWithinLease())
                    .as("by its own clock, which stood")
                    .isTrue();
            assertThat(sleeper.locks.check()).isFalse();
            assertThat(has(next)).isTrue();
            assertThat(next.locks.token(0)).isGreaterThan(sleeper.locks.token(0));
        }
    }
}
