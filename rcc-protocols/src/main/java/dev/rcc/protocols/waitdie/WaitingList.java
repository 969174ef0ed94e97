package dev.rcc.protocols.waitdie;

import dev.rcc.core.memory.Memory;
import dev.rcc.protocols.locking.LockMode;

/**
 * The requests that wait on one worker, youngest first, over all locks. The youngest request goes first because a request
 * waits only for younger ones: the requests behind it are older than the lock's new holder and go on waiting. If the oldest
 * went first, all the others would die. No request is overtaken for ever: only transactions that are older than the holder
 * wait, and finitely many of them began before the request.
 *
 * <p>Used on its worker only. Allocates nothing once it has reached its greatest length.
 */
final class WaitingList {
    /** Most requests that wait on one worker. */
    static final int CAPACITY = 256;

    private final Waiter[] waiters = new Waiter[CAPACITY];
    private int count;

    int size() {
        return count;
    }

    boolean isFull() {
        return count == CAPACITY;
    }

    /** The waiter with this number, from the youngest. */
    Waiter get(int i) {
        return waiters[i];
    }

    /** A waiter that is not in use, for {@link #add}; the list must not be full. */
    Waiter spare() {
        if (waiters[count] == null) {
            waiters[count] = new Waiter();
        }
        return waiters[count];
    }

    /** Adds the {@link #spare} waiter, which has its owner and its lock by now. */
    void add() {
        Waiter added = waiters[count];
        long owner = added.owner;
        int at = count++;
        while (at > 0 && waiters[at - 1].owner < owner) {
            waiters[at] = waiters[at - 1];
            at--;
        }
        waiters[at] = added;
        added.waiting = true;
    }

    /** Removes the requests that no longer wait. */
    void compact() {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            Waiter waiter = waiters[i];
            if (waiter.waiting) {
                waiters[i] = waiters[kept];
                waiters[kept++] = waiter;
            }
        }
        count = kept;
    }

    /** Whether a younger request waits for this lock in a mode that excludes {@code mode}. */
    boolean hasYounger(long owner, Memory memory, long offset, LockMode mode) {
        for (int i = 0; i < count && waiters[i].owner > owner; i++) {
            if (waiters[i].waitsFor(memory, offset) && excludes(waiters[i].mode, mode)) {
                return true;
            }
        }
        return false;
    }

    /** Whether an older request waits for this lock in a mode that excludes {@code mode}. */
    boolean hasOlder(long owner, Memory memory, long offset, LockMode mode) {
        for (int i = count - 1; i >= 0 && waiters[i].owner < owner; i--) {
            if (waiters[i].waitsFor(memory, offset) && excludes(waiters[i].mode, mode)) {
                return true;
            }
        }
        return false;
    }

    private static boolean excludes(LockMode one, LockMode other) {
        return one == LockMode.EXCLUSIVE || other == LockMode.EXCLUSIVE;
    }
}
