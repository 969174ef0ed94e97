package dev.rcc.server.recovery;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes that the leader does not take in for a while: the members did not reach them when they were to join. All transactions wait
 * while the members try. So the pauses between two attempts become longer, and each attempt after the first is short. A node that begins another
 * incarnation is tried at once, as for the first time.
 *
 * <p>Used by the leader's thread alone.
 */
final class GivenUp {
    private static final Duration PAUSE_MIN = Duration.ofMinutes(1);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(16);
    /** A node that can be reached is nearly always reached in a small part of the time. */
    private static final int SHORTER = 10;

    private final Map<Integer, Attempt> last = new HashMap<>();

    /** The last attempt to take a node in, and the pause after it. */
    private record Attempt(long incarnation, long atNanos, Duration pause) {}

    /**
     * How long the members may try to reach a node.
     *
     * @param reach the time for the first attempt
     */
    Duration patience(int node, long incarnation, Duration reach) {
        return failed(node, incarnation).isPresent() ? reach.dividedBy(SHORTER) : reach;
    }

    /** An attempt has failed. Returns the pause until the next one. */
    Duration add(int node, long incarnation) {
        Duration pause = failed(node, incarnation)
                .map(before -> before.pause().multipliedBy(2))
                .orElse(PAUSE_MIN);
        pause = pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX;
        last.put(node, new Attempt(incarnation, System.nanoTime(), pause));
        return pause;
    }

    /** Whether the pause after a failed attempt lasts. */
    boolean isNow(int node, long incarnation) {
        return failed(node, incarnation)
                .filter(attempt ->
                        System.nanoTime() - attempt.atNanos() < attempt.pause().toNanos())
                .isPresent();
    }

    private Optional<Attempt> failed(int node, long incarnation) {
        return Optional.ofNullable(last.get(node)).filter(attempt -> attempt.incarnation() == incarnation);
    }

    /** The node has joined. */
    void forget(int node) {
        last.remove(node);
    }
}
