package dev.rcc.protocols.locks;

/** What became of a request for locks. */
public enum LockOutcome {
    /** All locks are held. */
    GRANTED,
    /** One of them was taken away, as its holder or those before it seemed to be dead or in a deadlock. Nothing is held; ask again. */
    LOST,
    /** Not all were granted in time. Nothing is held. */
    TIMED_OUT,
    /** The node of one of them can't be reached. Nothing is held on the others. */
    UNREACHABLE
}
