package dev.rcc.bench.locks.check;

import static dev.rcc.bench.locks.check.LockHistory.NEVER;
import static dev.rcc.protocols.locks.LockMode.EXCLUSIVE;
import static dev.rcc.protocols.locks.LockMode.SHARED;
import static dev.rcc.protocols.locks.LockMode.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.bench.locks.check.LockFinding.Promise;
import dev.rcc.bench.locks.check.LockHistory.Pass;
import dev.rcc.bench.locks.check.LockHistory.Promises;
import dev.rcc.bench.locks.check.LockHistory.Request;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker finds the planted violations, no others, and the same as a checker that compares all pairs. */
class LockCheckerTest {
    private static final long LEASE = 1_000;
    private static final Promises ALL = new Promises(true, true, 0, 5);

    private int requesters;

    /** A hold that was asked for 10 ns before. */
    private Request hold(LockMode mode, long from, long until, long token) {
        return hold(mode, from - 10, from, NEVER, until, token);
    }

    private Request hold(LockMode mode, long asked, long from, long alone, long until, long token, Pass... passes) {
        return new Request(
                requesters++,
                0,
                0,
                mode,
                LEASE,
                asked,
                from,
                alone,
                until,
                LockOutcome.GRANTED,
                token,
                false,
                List.of(passes));
    }

    private static List<Promise> broken(Promises promises, Request... requests) {
        return LockChecker.check(new LockHistory("planted", promises, List.of(requests), List.of())).findings().stream()
                .map(LockFinding::promise)
                .toList();
    }

    @Test
    void shouldFindNothingInACorrectHistory() {
        assertThat(broken(
                        ALL,
                        hold(SHARED, 20, 50, 1),
                        hold(SHARED, 25, 40, 2),
                        hold(EXCLUSIVE, 50, 60, 3),
                        hold(UPDATE, 50, 60, NEVER, 90, 4),
                        hold(SHARED, 90, 95, 5)))
                .isEmpty();
    }

    @Test
    void shouldFindTwoHoldersAtATime() {
        assertThat(broken(ALL, hold(EXCLUSIVE, 20, 50, 1), hold(EXCLUSIVE, 49, 60, 2)))
                .containsExactly(Promise.EXCLUSION);
        assertThat(broken(ALL, hold(SHARED, 20, 50, 1), hold(EXCLUSIVE, 49, 60, 2)))
                .containsExactly(Promise.EXCLUSION);
        assertThat(broken(ALL, hold(UPDATE, 20, 50, 1), hold(UPDATE, 49, 60, 2)))
                .containsExactly(Promise.EXCLUSION);
        assertThat(broken(ALL, hold(SHARED, 20, 50, 1), hold(UPDATE, 20, 30, NEVER, 60, 2)))
                .isEmpty();
    }

    @Test
    void shouldFindARequestWithoutOutcomeWhoseRequesterWentOn() {
        Request last = request(7, 2, null);
        assertThat(broken(ALL, request(7, 1, LockOutcome.TIMED_OUT), last)).isEmpty();
        assertThat(broken(ALL, last, request(7, 3, LockOutcome.TIMED_OUT))).containsExactly(Promise.END);
        assertThat(broken(ALL, last, request(8, 3, LockOutcome.TIMED_OUT))).isEmpty();
    }

    private static Request request(int requester, int round, LockOutcome outcome) {
        return new Request(
                requester, round, 0, SHARED, LEASE, round, NEVER, NEVER, NEVER, outcome, -1, false, List.of());
    }

    @Test
    void shouldFindAnUpgradeBesideAReader() {
        Request reader = hold(SHARED, 20, 50, 1);
        assertThat(broken(ALL, reader, hold(UPDATE, 20, 30, 50, 60, 2))).isEmpty();
        assertThat(broken(ALL, reader, hold(UPDATE, 20, 30, 49, 60, 2))).containsExactly(Promise.EXCLUSION);
        assertThat(broken(ALL, hold(UPDATE, 20, 30, 31, 60, 1), hold(SHARED, 59, 70, 2)))
                .containsExactly(Promise.EXCLUSION);
    }

    @Test
    void shouldAllowASecondHolderAfterTheLeaseOfTheFirst() {
        Request sleeper = hold(EXCLUSIVE, 20, NEVER, 1);
        assertThat(broken(ALL, sleeper, hold(EXCLUSIVE, 20 + LEASE, 2_000, 2))).isEmpty();
        assertThat(broken(ALL, sleeper, hold(EXCLUSIVE, 19 + LEASE, 2_000, 2))).containsExactly(Promise.EXCLUSION);
        assertThat(broken(Promises.NONE, sleeper, hold(EXCLUSIVE, 100, 200, 2)))
                .as("pauses are long")
                .isEmpty();
    }

    @Test
    void shouldFindTokensThatDoNotGrow() {
        assertThat(broken(ALL, hold(EXCLUSIVE, 20, 30, 2), hold(EXCLUSIVE, 40, 50, 2)))
                .containsExactly(Promise.TOKENS);
        assertThat(broken(ALL, hold(SHARED, 20, 30, 2), hold(EXCLUSIVE, 40, 50, 1)))
                .containsExactly(Promise.TOKENS);
        assertThat(broken(ALL, hold(SHARED, 20, 30, 2), hold(SHARED, 40, 50, 1)))
                .isEmpty();
        assertThat(broken(Promises.NONE, hold(EXCLUSIVE, 5, 20, NEVER, 30, 2), hold(EXCLUSIVE, 15, 40, NEVER, 50, 1)))
                .as("asked for at the same time")
                .isEmpty();
        assertThat(broken(ALL, hold(EXCLUSIVE, 20, 30, -1), hold(EXCLUSIVE, 40, 50, -1)))
                .as("there are none")
                .isEmpty();
    }

    @Test
    void shouldFindAHolderThatPassesBehindALaterOne() {
        Pass early = new Pass(25, true, true);
        Pass late = new Pass(200, true, true);
        Pass refused = new Pass(200, true, false);
        Request next = hold(EXCLUSIVE, 90, 100, NEVER, 300, 2, new Pass(150, true, true));
        assertThat(broken(Promises.NONE, hold(EXCLUSIVE, 10, 20, NEVER, NEVER, 1, early, late), next))
                .containsExactly(Promise.FENCE);
        assertThat(broken(Promises.NONE, hold(EXCLUSIVE, 10, 20, NEVER, NEVER, 1, early, refused), next))
                .isEmpty();
        assertThat(broken(
                        Promises.NONE,
                        hold(SHARED, 10, 20, NEVER, NEVER, 1, new Pass(200, false, true)),
                        hold(SHARED, 10, 20, NEVER, NEVER, 2, new Pass(150, false, true))))
                .as("readers")
                .isEmpty();
    }

    @Test
    void shouldReportAndCountOvertakings() {
        Request waiter = hold(EXCLUSIVE, 0, 100, NEVER, 110, 9);
        Request first = hold(EXCLUSIVE, 10, 20, NEVER, 30, 7);
        Request second = hold(EXCLUSIVE, 31, 40, NEVER, 50, 8);
        assertThat(broken(ALL, waiter, first)).containsExactly(Promise.ORDER);
        assertThat(broken(new Promises(true, true, 1, 5), waiter, first)).isEmpty();
        assertThat(broken(new Promises(true, true, 1, 5), waiter, first, second))
                .containsExactly(Promise.ORDER);
        assertThat(broken(new Promises(true, true, 0, 11), waiter, first))
                .as("made at the same time")
                .isEmpty();
        LockCheckResult counted =
                LockChecker.check(new LockHistory("planted", Promises.NONE, List.of(waiter, first, second), List.of()));
        assertThat(counted.overtakings()).isEqualTo(2);
        assertThat(counted.overtakingsMax()).isEqualTo(2);
    }

    @Test
    void shouldFindALockThatIsNotFreeInTheEnd() {
        LockCheckResult result = LockChecker.check(new LockHistory("planted", Promises.NONE, List.of(), List.of(3L)));
        assertThat(result.isClean()).isFalse();
        assertThat(result.report()).contains("rest of lock 3").contains("is not free although");
    }

    @Test
    void shouldExplainItself() {
        String report = LockChecker.check(new LockHistory(
                        "planted", ALL, List.of(hold(EXCLUSIVE, 20, 50, 1), hold(SHARED, 49, 60, 2)), List.of()))
                .report();
        assertThat(report)
                .contains("exclusion of lock 0")
                .contains("requester 0, round 0: EXCLUSIVE lock 0, asked for at 10, held from 20 to 50, token 1")
                .contains("both held it at a time");
    }

    @Test
    void shouldAgreeWithACheckOfAllPairs() {
        long seed = Long.getLong("rcc.seed", 1);
        SplittableRandom random = new SplittableRandom(seed);
        int dirty = 0;
        for (int i = 0; i < 20_000; i++) {
            List<Request> requests = new ArrayList<>();
            int count = 2 + random.nextInt(4);
            for (int j = 0; j < count; j++) {
                requests.add(drawn(random, j));
            }
            List<Promise> found =
                    LockChecker.check(new LockHistory("drawn", ALL, requests, List.of())).findings().stream()
                            .map(LockFinding::promise)
                            .filter(promise -> promise != Promise.ORDER)
                            .toList();
            List<Promise> expected = byAllPairs(requests);
            dirty += expected.isEmpty() ? 0 : 1;
            assertThat(found)
                    .as("-Drcc.seed=%d, history %d: %s", seed, i, requests)
                    .isEqualTo(expected);
        }
        assertThat(dirty).isBetween(1_000, 19_000);
    }

    private static Request drawn(SplittableRandom random, int requester) {
        LockMode mode = LockMode.ofCode(random.nextInt(3));
        long from = 10L + random.nextInt(60);
        long alone = mode == UPDATE && random.nextBoolean() ? from + random.nextInt(5) : NEVER;
        long until = Math.max(from, alone) + 1 + random.nextInt(20);
        List<Pass> passes = new ArrayList<>();
        if (random.nextBoolean()) {
            passes.add(new Pass(from + random.nextInt(100), mode == EXCLUSIVE || alone != NEVER, true));
        }
        return new Request(
                requester,
                0,
                0,
                mode,
                LEASE,
                from - random.nextInt(10),
                from,
                alone,
                until,
                LockOutcome.GRANTED,
                from / 10 + random.nextInt(2),
                false,
                passes);
    }

    private static List<Promise> byAllPairs(List<Request> requests) {
        List<Promise> broken = new ArrayList<>();
        if (any(requests, LockCheckerTest::overlap)) {
            broken.add(Promise.EXCLUSION);
        }
        if (any(
                requests,
                (a, b) -> a.mode().conflictsWith(b.mode())
                        && a.grantNanos() < b.grantNanos()
                        && a.token() >= b.token())) {
            broken.add(Promise.TOKENS);
        }
        if (any(requests, LockCheckerTest::passesBehind)) {
            broken.add(Promise.FENCE);
        }
        return broken;
    }

    private interface Pair {
        boolean is(Request a, Request b);
    }

    private static boolean any(List<Request> requests, Pair pair) {
        return requests.stream().anyMatch(a -> requests.stream().anyMatch(b -> !a.equals(b) && pair.is(a, b)));
    }

    private static boolean overlap(Request a, Request b) {
        boolean aAlone = a.upgradeNanos() != NEVER;
        long aFrom = a.mode().conflictsWith(b.mode()) ? a.grantNanos() : aAlone ? a.upgradeNanos() : Long.MAX_VALUE;
        return aFrom < b.heldUntil() && b.grantNanos() < a.heldUntil();
    }

    private static boolean passesBehind(Request a, Request b) {
        return a.passes().stream()
                .anyMatch(first -> b.passes().stream()
                        .anyMatch(second -> first.nanos() < second.nanos()
                                && (first.isWrite() || second.isWrite())
                                && b.token() <= a.token()));
    }

    @Test
    void shouldReadBackItsOwnWrites(@TempDir Path directory) throws IOException {
        LockHistory history = new LockHistory(
                "dslr",
                new Promises(true, false, -1, 7),
                List.of(
                        hold(UPDATE, 5, 20, 30, 50, 1, new Pass(40, true, false)),
                        new Request(9, 8, 7, SHARED, 6, 5, NEVER, NEVER, NEVER, null, -1, true, List.of())),
                List.of(4L));
        for (String name : List.of("h.json", "h.json.gz")) {
            Path file = directory.resolve(name);
            LockHistoryFile.write(history, file);
            assertThat(LockHistoryFile.isOne(file)).isTrue();
            assertThat(LockHistoryFile.read(file)).isEqualTo(history);
        }
        Path other = Files.writeString(directory.resolve("o.json"), "{\"format\":\"rcc-history\",\"version\":1}");
        assertThat(LockHistoryFile.isOne(other)).isFalse();
        assertThatThrownBy(() -> LockHistoryFile.read(other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got 'rcc-history' 1, allowed: rcc-locks 1");
        assertThat(LockHistoryFile.isOne(Files.writeString(other, "no JSON"))).isFalse();
    }
}
