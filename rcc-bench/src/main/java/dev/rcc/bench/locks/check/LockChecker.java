package dev.rcc.bench.locks.check;

import static dev.rcc.bench.locks.check.LockHistory.NEVER;

import dev.rcc.bench.locks.check.LockFinding.Promise;
import dev.rcc.bench.locks.check.LockHistory.Pass;
import dev.rcc.bench.locks.check.LockHistory.Request;
import dev.rcc.protocols.locks.LockMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Checks whether a history of locks keeps the promises of its lock manager. For each lock and promise, the first breach is reported. Only
 * pairs of requests that can conflict are examined, so it takes about as long as sorting.
 */
public final class LockChecker {
    private static final Comparator<Request> BY_GRANT =
            Comparator.comparingLong(Request::grantNanos).thenComparingLong(Request::token);

    private final LockHistory history;
    private final List<LockFinding> findings = new ArrayList<>();
    private long overtakings;
    private int overtakingsMax;

    private LockChecker(LockHistory history) {
        this.history = history;
    }

    /** Checks a history. */
    public static LockCheckResult check(LockHistory history) {
        return new LockChecker(history).run();
    }

    private LockCheckResult run() {
        Map<Long, List<Request>> byLock = history.requests().stream()
                .collect(Collectors.groupingBy(Request::lock, TreeMap::new, Collectors.toList()));
        Map<Integer, Integer> lastRounds =
                history.requests().stream().collect(Collectors.toMap(Request::requester, Request::round, Math::max));
        byLock.forEach((lock, requests) -> {
            List<Request> granted = requests.stream()
                    .filter(Request::isGranted)
                    .sorted(BY_GRANT)
                    .toList();
            if (history.promises().exclusion()) {
                checkExclusion(lock, granted);
            }
            checkTokens(lock, granted);
            checkFence(lock, granted);
            checkOvertaking(lock, requests);
            requests.stream()
                    .filter(request ->
                            request.outcome() == null && request.round() < lastRounds.get(request.requester()))
                    .findFirst()
                    .ifPresent(request -> find(
                            Promise.END, lock, "it has no outcome, though its requester made later requests", request));
        });
        history.waiting()
                .forEach(lock -> findings.add(new LockFinding(
                        Promise.REST, lock, List.of("lock " + lock + " is not free although no requester wants it"))));
        return new LockCheckResult(history, findings, overtakings, overtakingsMax);
    }

    private void find(Promise promise, long lock, String what, Request... requests) {
        List<String> explanation = new ArrayList<>();
        for (Request request : requests) {
            explanation.add(request.describe());
        }
        explanation.add(what);
        findings.add(new LockFinding(promise, lock, explanation));
    }

    // ---- exclusion -------------------------------------------------------------------------------------------------

    private void checkExclusion(long lock, List<Request> granted) {
        List<Request> held = new ArrayList<>();
        for (Request request : granted) {
            held.removeIf(other -> other.heldUntil() <= request.grantNanos());
            for (Request other : held) {
                if (conflict(other, request)) {
                    find(Promise.EXCLUSION, lock, "both held it at a time", other, request);
                    return;
                }
            }
            held.add(request);
        }
    }

    /** Whether two holds overlap although they must not; {@code later} was granted while {@code earlier} was held. */
    private static boolean conflict(Request earlier, Request later) {
        if (earlier.mode().conflictsWith(later.mode())) {
            return earlier.heldUntil() > later.grantNanos() && later.heldUntil() > earlier.grantNanos();
        }
        return isAloneBeside(earlier, later) || isAloneBeside(later, earlier);
    }

    private static boolean isAloneBeside(Request updater, Request reader) {
        return updater.upgradeNanos() != NEVER
                && reader.heldUntil() > updater.upgradeNanos()
                && updater.heldUntil() > Math.max(reader.grantNanos(), updater.upgradeNanos());
    }

    // ---- tokens and fence ------------------------------------------------------------------------------------------

    /** A token exceeds those of all conflicting requests that were certainly granted before; only the greatest of each mode matters. */
    private void checkTokens(long lock, List<Request> granted) {
        List<Request> inOrder = granted.stream()
                .filter(request -> request.token() >= 0 && !request.wasLost())
                .toList();
        List<Request> later = inOrder.stream()
                .sorted(Comparator.comparingLong(this::certainlyBehind))
                .toList();
        Map<LockMode, Request> greatest = new EnumMap<>(LockMode.class);
        int next = 0;
        for (Request request : later) {
            for (; next < inOrder.size() && inOrder.get(next).grantNanos() < certainlyBehind(request); next++) {
                greatest.merge(inOrder.get(next).mode(), inOrder.get(next), LockChecker::greater);
            }
            for (Request before : greatest.values()) {
                if (before.mode().conflictsWith(request.mode()) && before.token() >= request.token()) {
                    find(Promise.TOKENS, lock, "the second has no greater token than the first", before, request);
                    return;
                }
            }
        }
    }

    private static Request greater(Request one, Request other) {
        return other.token() > one.token() ? other : one;
    }

    /** A request that was granted before this time was certainly granted before the given one. */
    private long certainlyBehind(Request request) {
        return history.promises().order() ? request.grantNanos() : request.requestNanos();
    }

    private record Use(Request request, Pass pass) {}

    private void checkFence(long lock, List<Request> granted) {
        List<Use> uses = new ArrayList<>();
        granted.forEach(request ->
                request.passes().stream().filter(Pass::isAccepted).forEach(pass -> uses.add(new Use(request, pass))));
        uses.sort(Comparator.comparingLong(use -> use.pass().nanos()));
        Use greatest = null;
        Use greatestWrite = null;
        int next = 0;
        for (Use use : uses) {
            for (; uses.get(next).pass().nanos() < use.pass().nanos(); next++) {
                greatest = later(greatest, uses.get(next));
                greatestWrite = uses.get(next).pass().isWrite() ? later(greatestWrite, uses.get(next)) : greatestWrite;
            }
            Use before = use.pass().isWrite() ? greatest : greatestWrite;
            if (before != null && isRefused(use, before)) {
                find(
                        Promise.FENCE,
                        lock,
                        "the second used the guarded data at " + use.pass().nanos() + ", after the first had at "
                                + before.pass().nanos(),
                        before.request(),
                        use.request());
                return;
            }
        }
    }

    private static boolean isRefused(Use use, Use before) {
        return !use.request().equals(before.request())
                && use.request().token() <= before.request().token();
    }

    private static Use later(Use one, Use other) {
        return one == null || other.request().token() > one.request().token() ? other : one;
    }

    // ---- order -----------------------------------------------------------------------------------------------------

    /** A request is overtaken by a conflicting one that was made after it was placed, and was granted before it. */
    private void checkOvertaking(long lock, List<Request> requests) {
        long placed = history.promises().placedNanos();
        List<Request> byRequest = requests.stream()
                .filter(Request::isGranted)
                .sorted(Comparator.comparingLong(Request::requestNanos))
                .toList();
        List<Request> open = new ArrayList<>();
        Map<Request, Integer> counts = new HashMap<>();
        for (Request request : byRequest) {
            open.removeIf(other -> other.grantNanos() <= request.requestNanos());
            for (Request other : open) {
                if (other.requestNanos() + placed <= request.requestNanos()
                        && request.grantNanos() < other.grantNanos()
                        && other.mode().conflictsWith(request.mode())) {
                    overtakings++;
                    int count = counts.merge(other, 1, Integer::sum);
                    overtakingsMax = Math.max(overtakingsMax, count);
                    int allowed = history.promises().overtakings();
                    if (allowed >= 0 && count == allowed + 1) {
                        find(Promise.ORDER, lock, "the second overtook the first, as number " + count, other, request);
                    }
                }
            }
            open.add(request);
        }
    }
}
