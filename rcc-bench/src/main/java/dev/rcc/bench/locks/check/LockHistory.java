package dev.rcc.bench.locks.check;

import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import java.util.List;

/**
 * What became of requests for locks. All times are true ones in nanoseconds, comparable between nodes.
 *
 * @param scheme the lock manager's name
 * @param promises what it is held to
 * @param requests in any order
 * @param waiting locks that are not at rest though nobody asks for them any more
 */
public record LockHistory(String scheme, Promises promises, List<Request> requests, List<Long> waiting) {
    /** A time that has not come. */
    public static final long NEVER = -1;

    /**
     * What a lock manager is held to beyond what holds always.
     *
     * @param exclusion nobody holds a lock in its lease beside another one: not so where pauses are longer than half a lease
     * @param order conflicting locks are granted in the order of their tokens
     * @param overtakings how often a request may be overtaken by later ones; -1 for any number
     * @param placedNanos a request counts as made when it is so old
     */
    public record Promises(boolean exclusion, boolean order, int overtakings, long placedNanos) {
        /** Nothing beyond what holds always. */
        public static final Promises NONE = new Promises(false, false, -1, 0);
    }

    /**
     * One request for one lock.
     *
     * @param requester who asked
     * @param round requests of one requester with the same number were made together
     * @param lock the lock's number
     * @param mode what for
     * @param leaseNanos how long it may be held
     * @param requestNanos when it was asked for
     * @param grantNanos when it was held, or {@link #NEVER}
     * @param upgradeNanos when it was held alone after an update lock, or {@link #NEVER}
     * @param endNanos when its release began, or {@link #NEVER}
     * @param outcome what became of the round; null if nothing did, as the requester died
     * @param token the fencing token, or -1
     * @param wasLost whether it was known to be lost when it was granted
     * @param passes when what the lock guards was used, with this token
     */
    public record Request(
            int requester,
            int round,
            long lock,
            LockMode mode,
            long leaseNanos,
            long requestNanos,
            long grantNanos,
            long upgradeNanos,
            long endNanos,
            LockOutcome outcome,
            long token,
            boolean wasLost,
            List<Pass> passes) {
        /** Copies the list. */
        public Request {
            passes = List.copyOf(passes);
        }

        /** Whether it was held. */
        public boolean isGranted() {
            return grantNanos != NEVER;
        }

        /** When it was held no longer: released, or its lease was over. */
        public long heldUntil() {
            long leaseEnd = Math.max(grantNanos, upgradeNanos) + leaseNanos;
            return endNanos == NEVER ? leaseEnd : Math.min(endNanos, leaseEnd);
        }

        /** Text for people. */
        public String describe() {
            StringBuilder text = new StringBuilder("requester ")
                    .append(requester)
                    .append(", round ")
                    .append(round)
                    .append(": ")
                    .append(mode)
                    .append(" lock ")
                    .append(lock)
                    .append(", asked for at ")
                    .append(requestNanos);
            if (isGranted()) {
                text.append(", held from ").append(grantNanos).append(" to ").append(heldUntil());
                text.append(endNanos == NEVER ? ", never released" : "");
                if (upgradeNanos != NEVER) {
                    text.append(", alone from ").append(upgradeNanos);
                }
                text.append(", token ").append(token);
            }
            return text.append(", ")
                    .append(outcome == null ? "no end" : outcome)
                    .toString();
        }
    }

    /**
     * A use of what a lock guards, where the greatest token is kept.
     *
     * @param nanos when
     * @param isWrite whether others would have to see it
     * @param isAccepted whether it was let pass
     */
    public record Pass(long nanos, boolean isWrite, boolean isAccepted) {}

    /** Copies the lists. */
    public LockHistory {
        requests = List.copyOf(requests);
        waiting = List.copyOf(waiting);
    }
}
