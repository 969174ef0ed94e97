package dev.rcc.protocols.sundial;

/** What a transaction does when another one holds the lock of what it wants to write. */
public enum WriteConflict {
    /** It waits for a while if it is the older one, and aborts if it is the younger (Sundial, 3.3.1). */
    WAIT_DIE,
    /** It aborts. */
    NO_WAIT
}
