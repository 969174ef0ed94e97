package dev.rcc.protocols.optimistic;

import dev.rcc.core.memory.Memory;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.LockAcquisition;
import dev.rcc.protocols.common.LockAndVersion;
import dev.rcc.protocols.common.LockTry;

/**
 * Locks that are held in the order of the requests. The lock word is the number that is served; the word behind it is the next ticket, which a
 * FETCH_ADD draws. The requester with the served ticket holds the lock, and drops it by a WRITE of the next number. The word "held" is that next
 * number: never 0.
 */
final class TicketAcquisition implements LockAcquisition {
    private static final long NO_NUMBER = -1;

    private final Memory buffers;

    TicketAcquisition(Memory buffers) {
        this.buffers = buffers;
    }

    @Override
    public void append(Batches batches, LockTry lock) {
        if (hasTicket(lock)) {
            LockAndVersion.readFirst(batches.to(lock.node()), lock.address(), lock.result());
        } else {
            batches.to(lock.node()).fetchAdd(lock.address() + Memory.WORD_BYTES, 1, lock.result());
        }
    }

    @Override
    public Progress takeIn(LockTry lock) {
        long result = buffers.getLong(lock.result());
        if (hasTicket(lock)) {
            lock.seen(result);
        } else {
            lock.expected(result + 1);
            buffers.putLong(lock.result(), NO_NUMBER);
        }
        if (lock.seen() != lock.expected() - 1) {
            return Progress.TAKEN;
        }
        lock.held(lock.expected());
        return Progress.HELD;
    }

    /** Waits for its turn, and passes it on. */
    @Override
    public boolean leave(Batches batches, LockTry lock) {
        if (!hasTicket(lock)) {
            return false;
        }
        if (buffers.getLong(lock.result()) == lock.expected() - 1) {
            batches.to(lock.node()).writeWord(lock.expected(), lock.address());
            lock.expected(0);
        } else {
            LockAndVersion.readFirst(batches.to(lock.node()), lock.address(), lock.result());
        }
        return true;
    }

    private static boolean hasTicket(LockTry lock) {
        return lock.expected() != 0;
    }
}
