package dev.rcc.protocols.common;

import dev.rcc.core.memory.Memory;

/**
 * Takes a lock by a CAS from the word that it is likely to have. If it has another one, which lets the attempt lock, the next CAS
 * expects that (rcc, 4.2).
 */
public final class CasAcquisition implements LockAcquisition {
    /** In place of a word: it does not let the attempt lock. */
    public static final long REFUSED = 0;

    /** What a result holds until a CAS has written it; no lock word lets any transaction lock that looks like this. */
    private static final long NO_RESULT = -1;

    private final Memory buffers;
    private final Words words;

    /** What a protocol's lock words say to one attempt. */
    public interface Words {
        /** The word after the attempt has locked, or {@link #REFUSED} if {@code word} does not let it; it is {@code REFUSED} for -1. */
        long taken(long word, LockTry.Wish wish);

        /** The word that a lock will likely have when it lets the attempt lock, which {@code seen} did not. */
        long likely(long seen, LockTry.Wish wish);

        /** The word that a lock is given while others hold it, so that no transaction joins them; {@code seen} itself if it keeps its word. */
        default long closed(long seen, LockTry.Wish wish) {
            return seen;
        }
    }

    /** Takes locks as {@code words} say, with results in {@code buffers}. */
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

    /** Closes a lock that others were seen to hold. Whether it succeeds is not looked at: if the word has changed, the next try closes it. */
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
