package dev.rcc.bench.locks.cluster;

import static dev.rcc.protocols.locks.LockMode.EXCLUSIVE;
import static dev.rcc.protocols.locks.LockMode.SHARED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockManager;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockSpace;
import dev.rcc.protocols.locks.LockToken;
import dev.rcc.protocols.locks.ncosed.NCosed;
import dev.rcc.transport.sim.SimNetwork;
import dev.rcc.transport.sim.SimOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The queues of N-CoSED in virtual time: requesters on nodes of their own, each of which comes and goes when the test lets it. */
class NCosedOnSimTest {
    private static final long MICRO = 1_000;
    private static final long TIMEOUT_NANOS = 10_000 * MICRO;
    private static final long LONG = Long.MAX_VALUE / 4;
    private static final long END_NANOS = 1_000_000 * MICRO;

    /** A lock that was held. */
    private record Hold(int requester, LockMode mode, long fromNanos, long toNanos, long token) {}

    /** The course of a requester. */
    private interface Course {
        void run(Requester self);
    }

    /** A requester at work. */
    private final class Requester {
        private final int number;
        private final Coroutine coroutine;
        private final LockManager locks;

        Requester(int number, Coroutine coroutine, LockManager locks) {
            this.number = number;
            this.coroutine = coroutine;
            this.locks = locks;
        }

        LockOutcome ask(LockMode mode, long waitNanos, long... numbers) {
            for (long lock : numbers) {
                locks.request(cluster.space().address(lock), mode, 1);
            }
            return locks.await(waitNanos);
        }

        /** Holds lock 0 for a while. */
        void hold(LockMode mode, long nanos) {
            assertThat(ask(mode, LONG, 0)).isEqualTo(LockOutcome.GRANTED);
            long from = cluster.nanos(coroutine);
            long token = locks.token(0);
            coroutine.sleep(nanos);
            holds.add(new Hold(number, mode, from, cluster.nanos(coroutine), token));
            locks.release();
        }
    }

    private final List<Hold> holds = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private SimNetwork network;
    private LockCluster cluster;
    private int ended;

    @AfterEach
    void close() {
        cluster.close();
    }

    /** Runs each course on a node of its own; the locks are spread over these nodes, lock 0 on node 0. */
    private void run(Primitive primitive, Course... courses) {
        network = new SimNetwork(courses.length, SimOptions.of("connectx3-fdr"), 1);
        cluster = new LockCluster(
                network,
                new NCosed(TIMEOUT_NANOS),
                primitive,
                new LockSpace(LockSpace.REGION, courses.length, 4),
                new LockCluster.Shape(courses.length, 1, 1),
                (number, coroutine, managers) -> {
                    try {
                        courses[number].run(new Requester(number, coroutine, managers.another()));
                    } catch (RuntimeException | Error e) {
                        failures.add(e);
                    }
                    ended++;
                });
        cluster.start();
        boolean haveEnded = network.simulation().run(END_NANOS, () -> ended == courses.length);
        assertThat(failures).isEmpty();
        assertThat(haveEnded).as("all have come to an end").isTrue();
    }

    /** Lets pending work be done, and checks that no requester has or wants the lock. */
    private void checkRest() {
        long soon = network.simulation().now() + 1_000 * MICRO;
        boolean _ = network.simulation().run(soon, () -> false);
        assertThat(cluster.word(cluster.space().address(0))).isZero();
    }

    private Hold hold(int requester) {
        return holds.stream()
                .filter(hold -> hold.requester() == requester)
                .findFirst()
                .orElseThrow();
    }

    private void checkInOrder(int earlier, int later) {
        assertThat(hold(later).fromNanos())
                .as("%s", holds)
                .isGreaterThanOrEqualTo(hold(earlier).toNanos());
        assertThat(hold(later).token())
                .as("%s", holds)
                .isGreaterThan(hold(earlier).token());
    }

    private static Course after(long micros, LockMode mode, long holdMicros) {
        return self -> {
            self.coroutine.sleep(micros * MICRO);
            self.hold(mode, holdMicros * MICRO);
        };
    }

    // ---- queues ----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void shouldGrantInTheOrderOfArrivalAndLetSharersInTogether(Primitive primitive) {
        run(
                primitive,
                after(0, EXCLUSIVE, 200),
                after(20, SHARED, 50),
                after(40, SHARED, 50),
                after(60, EXCLUSIVE, 50),
                after(80, SHARED, 50),
                after(100, EXCLUSIVE, 50));
        checkInOrder(0, 1);
        checkInOrder(0, 2);
        checkInOrder(1, 3);
        checkInOrder(2, 3);
        checkInOrder(3, 4);
        checkInOrder(4, 5);
        assertThat(hold(2).fromNanos()).as("shared at a time").isLessThan(hold(1).toNanos());
        checkRest();
    }

    // Goal: an exclusive requester waits for the sharers that the lock's word counts, and later requesters
    // wait for it.
    @ParameterizedTest
    @EnumSource
    void shouldWaitForSharersCountedInTheLockWord(Primitive primitive) {
        run(
                primitive,
                after(0, SHARED, 100),
                after(0, SHARED, 150),
                after(40, EXCLUSIVE, 50),
                after(60, SHARED, 50),
                after(60, SHARED, 50));
        checkInOrder(0, 2);
        checkInOrder(1, 2);
        checkInOrder(2, 3);
        checkInOrder(2, 4);
        checkRest();
    }

    // Goal: the queue goes on behind an exclusive holder that finds only sharers behind it.
    @ParameterizedTest
    @EnumSource
    void shouldServeLaterRequestersAfterHandingTheLockToSharers(Primitive primitive) {
        run(
                primitive,
                after(0, EXCLUSIVE, 100),
                after(20, SHARED, 200),
                after(160, SHARED, 50),
                after(180, EXCLUSIVE, 50));
        checkInOrder(0, 1);
        checkInOrder(0, 2);
        assertThat(hold(2).fromNanos()).as("shared at a time").isLessThan(hold(1).toNanos());
        checkInOrder(1, 3);
        checkInOrder(2, 3);
        checkRest();
    }

    @Test
    void shouldCostTwoAtomicsWithoutConflict() {
        run(Primitive.ONE_SIDED, after(0, EXCLUSIVE, 10), after(100, SHARED, 10));
        LockCounters counters = cluster.counters();
        assertThat(counters.atomics).isEqualTo(4);
        assertThat(counters.reads).isEqualTo(2);
        assertThat(counters.writes).isEqualTo(1);
        assertThat(counters.messages).isZero();
        assertThat(counters.waits).isZero();
    }

    @Test
    void shouldHandALockOnByOneMessageAndItsAnswer() {
        run(Primitive.ONE_SIDED, after(0, EXCLUSIVE, 100), after(20, EXCLUSIVE, 10));
        assertThat(cluster.counters().messages).isEqualTo(2);
        assertThat(cluster.counters().waits).isEqualTo(1);
    }

    // ---- requesters that give up -----------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void shouldPassOnAPlaceThatWasGivenUp(Primitive primitive) {
        run(
                primitive,
                after(0, EXCLUSIVE, 200),
                givesUp(20, EXCLUSIVE),
                givesUp(40, SHARED),
                after(60, EXCLUSIVE, 50),
                givesUp(80, SHARED),
                after(100, SHARED, 50));
        checkInOrder(0, 3);
        checkInOrder(3, 5);
        assertThat(hold(3).fromNanos() - hold(0).toNanos())
                .as("passed on when its turn comes, long before a time-out")
                .isLessThan(100 * MICRO);
        checkRest();
    }

    private static Course givesUp(long micros, LockMode mode) {
        return self -> {
            self.coroutine.sleep(micros * MICRO);
            assertThat(self.ask(mode, 20 * MICRO, 0)).isEqualTo(LockOutcome.TIMED_OUT);
            assertThat(self.locks.isWithinLease()).isFalse();
        };
    }

    // Goal: a requester that asks again keeps its place, and leaves one place at the lock, however often it
    // tries.
    @ParameterizedTest
    @EnumSource(names = {"SHARED", "EXCLUSIVE"})
    void shouldTakeOverThePlaceThatWasGivenUp(LockMode mode) {
        run(
                Primitive.ONE_SIDED,
                after(0, EXCLUSIVE, 300),
                self -> {
                    self.coroutine.sleep(20 * MICRO);
                    for (int i = 0; i < 5; i++) {
                        assertThat(self.ask(mode, 20 * MICRO, 0)).isEqualTo(LockOutcome.TIMED_OUT);
                    }
                    self.hold(mode, 50 * MICRO);
                },
                after(50, EXCLUSIVE, 10));
        checkInOrder(0, 1);
        checkInOrder(1, 2);
        assertThat(cluster.counters().grants).isEqualTo(3);
        checkRest();
    }

    // Method: each reaches the lock on its own node first.
    @ParameterizedTest
    @EnumSource
    void shouldEndADeadlock(Primitive primitive) {
        Course both = self -> {
            while (self.ask(EXCLUSIVE, LONG, 0, 1) != LockOutcome.GRANTED) {
                self.coroutine.pause();
            }
            self.locks.release();
        };
        run(primitive, both, both);
        assertThat(cluster.counters().lost).as("a round was given up").isPositive();
        checkRest();
    }

    @Test
    void shouldReleaseARequestThatWasPostedButNotAwaited() {
        run(
                Primitive.ONE_SIDED,
                self -> {
                    self.locks.request(cluster.space().address(0), EXCLUSIVE, 1);
                    self.locks.post();
                    self.locks.release();
                },
                after(50, EXCLUSIVE, 10));
        assertThat(LockToken.ticket(hold(1).token()))
                .as("behind one exclusive hold")
                .isEqualTo(3);
        checkRest();
    }

    // ---- nodes that die --------------------------------------------------------------------------------------------

    // Goal: a holder's death has the effects that docs/locks.md describes: no requester behind it gets the
    // lock, all get an answer, and other locks go on.
    @Test
    void shouldGrantNoLockBehindADeadHolder() {
        Course waits = self -> {
            self.coroutine.sleep(20 * MICRO);
            for (int i = 0; i < 3; i++) {
                assertThat(self.ask(SHARED, LONG, 0)).isEqualTo(LockOutcome.LOST);
            }
            assertThat(self.ask(EXCLUSIVE, LONG, 1)).isEqualTo(LockOutcome.GRANTED);
            self.locks.release();
        };
        run(
                Primitive.ONE_SIDED,
                self -> assertThat(self.ask(EXCLUSIVE, LONG, 0)).isEqualTo(LockOutcome.GRANTED),
                waits);
        assertThat(cluster.counters().atomics)
                .as("one place, though asked for three times")
                .isEqualTo(1 + 1 + 2);
    }

    @Test
    void shouldReturnUnreachableToAWaiterBehindADeadNode() {
        checkUnreachable(1, self -> {
            self.coroutine.sleep(20 * MICRO);
            assertThat(self.ask(EXCLUSIVE, LONG, 0)).isEqualTo(LockOutcome.UNREACHABLE);
        });
    }

    @Test
    void shouldReturnUnreachableForALockOfADeadNodeWithoutAskingAgain() {
        checkUnreachable(0, self -> {
            self.coroutine.sleep(200 * MICRO);
            assertThat(self.ask(EXCLUSIVE, LONG, 0)).isEqualTo(LockOutcome.UNREACHABLE);
            long atomics = cluster.counters().atomics;
            assertThat(self.ask(SHARED, LONG, 0)).isEqualTo(LockOutcome.UNREACHABLE);
            assertThat(cluster.counters().atomics).isEqualTo(atomics);
            assertThat(self.ask(EXCLUSIVE, LONG, 2)).as("another node's").isEqualTo(LockOutcome.GRANTED);
            self.locks.release();
        });
    }

    /** Node 1 holds lock 0 of node 0; a node dies after 100 us; node 2 follows the test's course. */
    private void checkUnreachable(int victim, Course course) {
        Course holder = self -> {
            assertThat(self.ask(EXCLUSIVE, LONG, 0)).isEqualTo(LockOutcome.GRANTED);
            self.coroutine.sleep(50 * MICRO);
        };
        Course killer = self -> network.later(100 * MICRO, () -> cluster.kill(victim));
        run(Primitive.ONE_SIDED, killer, holder, course);
    }
}
