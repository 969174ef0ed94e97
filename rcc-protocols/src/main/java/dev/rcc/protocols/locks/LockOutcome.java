package dev.rcc.protocols.locks;

/** The outcome of a request for locks. */
public enum LockOutcome {
    /** All locks are held. */
    GRANTED,
    /** A lock was taken away, as its holder or the requesters before it seemed to be dead or in a deadlock. No lock is held; ask again. */
    LOST,
    /** Not all locks were granted in time. No lock is held. */
    TIMED_OUT,
    /** The node of one lock can't be reached. No lock is held on the other nodes. */
    UNREACHABLE
}
