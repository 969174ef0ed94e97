package dev.rcc.client;

/** The outcome of a commit. */
public enum CommitOutcome {
    /** The commit has taken effect, once. */
    COMMITTED,
    /** The commit has had no effect, and never will. */
    NOT_COMMITTED,
    /** The outcome is not known to the cluster, or not yet. */
    UNKNOWN
}
