package dev.rcc.server.recovery;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The nodes that the leader does not take in for a while: the members did not reach them when they were to join. All transactions wait
 * while the members try. So the pauses between two attempts become longer. A node that begins another incarnation is tried at once.
 *
 * <p>Used by the leader's thread alone.
 */
final class GivenUp {
    private static final Duration PAUSE_MIN = Duration.ofMinutes(1);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(16);

    private final Map<Integer, Attempt> last = new HashMap<>();

    /** The last attempt to take a node in, and the pause after it. */
    private record Attempt(long incarnation, long atNanos, Duration pause) {}

    /** An attempt has failed. Returns the pause until the next one. */
    Duration add(int node, long incarnation) {
        Attempt before = last.get(node);
        Duration pause = before == null || before.incarnation() != incarnation
                ? PAUSE_MIN
                : before.pause().multipliedBy(2);
        pause = pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX;
        last.put(node, new Attempt(incarnation, System.nanoTime(), pause));
        return pause;
    }

    /** Whether the pause after a failed attempt lasts. */
    boolean isNow(int node, long incarnation) {
        Attempt attempt = last.get(node);
        return attempt != null
                && attempt.incarnation() == incarnation
                && System.nanoTime() - attempt.atNanos() < attempt.pause().toNanos();
    }

    /** The node has joined. */
    void forget(int node) {
        last.remove(node);
    }
}
