package dev.rcc.bench.locks.check;

import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import java.util.List;

/**
 * The requests for locks of a run, and their outcomes. All times are true ones in nanoseconds, comparable between nodes.
 *
 * @param scheme the lock manager's name
 * @param promises the promises that are checked
 * @param requests the requests, in any order
 * @param waiting locks that are not at rest though no requester wants them any more
 */
public record LockHistory(String scheme, Promises promises, List<Request> requests, List<Long> waiting) {
    /** The time of an event that did not happen. */
    public static final long NEVER = -1;

    /**
     * The promises to check, beyond those that are always checked.
     *
     * @param exclusion no two conflicting requests hold a lock within their leases; not promised if pauses may exceed half a lease
     * @param order conflicting locks are granted in the order of their tokens
     * @param overtakings how often a request may be overtaken by later ones; -1 for any number
     * @param placedNanos the age from which a request counts as placed
     */
    public record Promises(boolean exclusion, boolean order, int overtakings, long placedNanos) {
        /** No promises beyond those that are always checked. */
        public static final Promises NONE = new Promises(false, false, -1, 0);
    }

    /**
     * One request for one lock.
     *
     * @param requester the requester's number
     * @param round the round's number; requests of one requester with the same number were made together
     * @param lock the lock's number
     * @param mode the lock's mode
     * @param leaseNanos how long it may be held
     * @param requestNanos when it was requested
     * @param grantNanos when it was granted, or {@link #NEVER}
     * @param upgradeNanos when an update lock was upgraded, and so held alone, or {@link #NEVER}
     * @param endNanos when its release began, or {@link #NEVER}
     * @param outcome the round's outcome; null if there is none, as the requester died or the run ended
     * @param token the fencing token, or -1
     * @param wasLost whether a check right after the grant found the lock lost
     * @param passes the uses of the guarded data with this token
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

        /** Whether it was granted. */
        public boolean isGranted() {
            return grantNanos != NEVER;
        }

        /** The end of the hold: its release, or the end of its lease. */
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
     * A use of the data that a lock guards, where the greatest token is kept.
     *
     * @param nanos the time of the use
     * @param isWrite whether other holders would have to see it
     * @param isAccepted whether its token was accepted
     */
    public record Pass(long nanos, boolean isWrite, boolean isAccepted) {}

    /** Copies the lists. */
    public LockHistory {
        requests = List.copyOf(requests);
        waiting = List.copyOf(waiting);
    }
}
