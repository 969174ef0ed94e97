package dev.rcc.bench.locks.check;

import java.util.List;

/**
 * A promise that was not kept.
 *
 * @param promise the promise
 * @param lock the lock's number
 * @param explanation the requests that show it, one a line, and what is wrong with them
 */
public record LockFinding(Promise promise, long lock, List<String> explanation) {
    /** A promise of lock managers. */
    public enum Promise {
        /** No two conflicting holders hold a lock at a time. */
        EXCLUSION("exclusion"),
        /** Once a later holder has used the guarded data, no earlier conflicting holder uses it. */
        FENCE("fence"),
        /** No two conflicting holders have the same token, and a later holder has a greater one. */
        TOKENS("tokens"),
        /** Locks are granted in the order of the requests. */
        ORDER("order"),
        /** Every request ends, as long as its requester lives. */
        END("end"),
        /** A lock that no requester wants is free. */
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
