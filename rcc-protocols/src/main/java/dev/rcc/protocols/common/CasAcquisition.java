package dev.rcc.protocols.common;

import dev.rcc.core.memory.Memory;

/**
 * Takes a lock by a CAS that expects the word that the lock is likely to have. If the lock has another word, which lets the attempt lock, the
 * next CAS expects that word (rcc, 4.2).
 */
public final class CasAcquisition implements LockAcquisition {
    /** In place of a word: the lock does not let the attempt lock. */
    public static final long REFUSED = 0;

    /** The content of a result until a CAS has written it; as a lock word, it lets no transaction lock. */
    private static final long NO_RESULT = -1;

    private final Memory buffers;
    private final Words words;

    /** The meaning of a protocol's lock words for one attempt. */
    public interface Words {
        /** The word after the attempt has locked, or {@link #REFUSED} if {@code word} does not let it; always {@code REFUSED} for -1. */
        long taken(long word, LockTry.Wish wish);

        /** The word that a lock will likely have when it lets the attempt lock, which {@code seen} did not. */
        long likely(long seen, LockTry.Wish wish);

        /** The word of a lock that is closed to further holders while other transactions hold it; {@code seen} itself if the lock keeps its word. */
        default long closed(long seen, LockTry.Wish wish) {
            return seen;
        }
    }

    /** Takes locks by the rules of {@code words}, with results in {@code buffers}. */
    public CasAcquisition(Memory buffers, Words words) {
        this.buffers = buffers;
        this.words = words;
    }

    @Override
    public void append(Batches batches, LockTry lock) {
        long expected = lock.seen();
        long desired = words.taken(expected, lock.wish());
        if (desired == REFUSED) {
            close(batches, lock);
            expected = words.likely(lock.seen(), lock.wish());
            desired = words.taken(expected, lock.wish());
        }
        lock.expected(expected);
        buffers.putLong(lock.result(), NO_RESULT);
        batches.to(lock.node()).cas(lock.address(), expected, desired, lock.result());
    }

    @Override
    public boolean leave(Batches batches, LockTry lock) {
        return close(batches, lock);
    }

    /** Closes a lock that other transactions were seen to hold. The result is not checked: if the word has changed, the next try closes it. */
    private boolean close(Batches batches, LockTry lock) {
        long closed = words.closed(lock.seen(), lock.wish());
        if (closed == lock.seen()) {
            return false;
        }
        batches.to(lock.node()).cas(lock.address(), lock.seen(), closed, lock.result());
        lock.seen(closed);
        return true;
    }

    @Override
    public Progress takeIn(LockTry lock) {
        long found = buffers.getLong(lock.result());
        long taken = words.taken(found, lock.wish());
        lock.seen(found);
        if (found == lock.expected()) {
            lock.held(taken);
            return Progress.HELD;
        }
        return taken == REFUSED ? Progress.TAKEN : Progress.AGAIN;
    }
}
