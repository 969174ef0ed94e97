package dev.rcc.bench.locks.check;

import java.util.List;

/**
 * A promise that was not kept.
 *
 * @param promise which
 * @param lock of which lock
 * @param explanation the requests that show it, one a line, and what is wrong with them
 */
public record LockFinding(Promise promise, long lock, List<String> explanation) {
    /** What lock managers promise. */
    public enum Promise {
        /** Conflicting holders do not hold a lock at a time. */
        EXCLUSION("exclusion"),
        /** Once a later holder has used what the lock guards, no earlier one does. */
        FENCE("fence"),
        /** No two conflicting holders have the same token, and a later one has a greater. */
        TOKENS("tokens"),
        /** Locks are granted in the order in which they were asked for. */
        ORDER("order"),
        /** Every request ends. */
        END("end"),
        /** A lock that nobody wants is free. */
        REST("rest");

        private final String label;

        Promise(String label) {
            this.label = label;
        }

        /** The name in reports. */
        public String label() {
            return label;
        }
    }

    /** Copies the list. */
    public LockFinding {
        explanation = List.copyOf(explanation);
    }
}
