package dev.rcc.protocols.waitdie;

import dev.rcc.core.memory.Memory;
import dev.rcc.protocols.locking.LockJob;
import dev.rcc.protocols.locking.LockMode;

/** A lock request that waits, and for what; reused from request to request. */
final class Waiter {
    /** The request. */
    LockJob job = new LockJob();
    /** Who it is, as lock words know it. */
    long owner;
    /** Holds the lock word that it waits for. */
    Memory memory;
    /** Where the word lies. */
    long offset;
    /** How it wants the lock. */
    LockMode mode;
    /** The word by which it was decided that it waits. */
    long word;
    /** Until when it waits at most, in nanoseconds of its worker. */
    long deadlineNanos;
    /** Whether it waits still; those that do not leave the list at the end of a scan. */
    boolean waiting;

    boolean waitsFor(Memory otherMemory, long otherOffset) {
        return waiting && offset == otherOffset && memory == otherMemory;
    }
}
