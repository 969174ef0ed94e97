package dev.rcc.protocols.locks;

/** A lock of a round, from the request for it to its end. A later round uses it again. Used on its coroutine only. */
public abstract class RequestedLock {
    /** The address of its first word. */
    public long address;
    /** The mode in which it is requested. */
    public LockMode mode;

    /** Whether it is held. */
    public abstract boolean isHeld();
}
