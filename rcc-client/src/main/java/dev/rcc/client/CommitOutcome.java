package dev.rcc.client;

/** What became of a commit. */
public enum CommitOutcome {
    /** It has taken effect, once. */
    COMMITTED,
    /** It has had no effect, and never will. */
    NOT_COMMITTED,
    /** The cluster cannot tell. */
    UNKNOWN
}
