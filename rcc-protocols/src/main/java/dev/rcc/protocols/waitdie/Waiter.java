package dev.rcc.protocols.waitdie;

import dev.rcc.core.memory.Memory;
import dev.rcc.protocols.locking.LockJob;
import dev.rcc.protocols.locking.LockMode;

/** A waiting lock request and the lock that it waits for; reused from request to request. */
final class Waiter {
    /** The request. */
    LockJob job = new LockJob();
    /** The request's owner, as in lock words. */
    long owner;
    /** The memory of the lock word that it waits for. */
    Memory memory;
    /** The offset of that word. */
    long offset;
    /** The mode in which it wants the lock. */
    LockMode mode;
    /** The value of the lock word that made it wait. */
    long word;
    /** The time at which its wait ends at the latest, in nanoseconds of its worker. */
    long deadlineNanos;
    /** Whether it still waits; a request that does not leaves the list at the end of a scan. */
    boolean waiting;

    boolean waitsFor(Memory otherMemory, long otherOffset) {
        return waiting && offset == otherOffset && memory == otherMemory;
    }
}
