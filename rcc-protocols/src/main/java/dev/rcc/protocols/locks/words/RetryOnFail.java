package dev.rcc.protocols.locks.words;

import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.SharedWord;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockVerbs;
import java.util.Set;

/**
 * Retry-on-Fail (dslr, 6.1; Chung and Zamanian, 2015): CAS for an exclusive lock, FETCH_ADD for a shared one, tried again until it succeeds.
 *
 * <pre>
 *  63                              32 31                               0
 * +----------------------------------+----------------------------------+
 * |  exclusive holder's number, or 0 |  sharers, and waiting readers    |
 * +----------------------------------+----------------------------------+
 * </pre>
 *
 * A reader counts itself in, and has the lock when there is no exclusive holder; so readers keep a writer out for as long as they come.
 */
public final class RetryOnFail implements LockScheme {
    private static final int HOLDER_SHIFT = 32;

    private final RetryTerms terms;

    /** Creates the scheme on terms. */
    public RetryOnFail(RetryTerms terms) {
        this.terms = terms;
    }

    @Override
    public String name() {
        return "retry-on-fail";
    }

    @Override
    public Set<WordChange> changes(Primitive primitive) {
        return Set.of(new WordChange(
                SharedWord.LOCK, primitive == Primitive.RPC ? WordChange.By.OWNER_CPU : WordChange.By.REMOTE_ATOMIC));
    }

    @Override
    public boolean isAtRest(long word) {
        return word == 0;
    }

    @Override
    public Locks serve(LockSite site) {
        LockVerbs.serve(site);
        return (coroutine, completion, buffer) -> new Manager(site, terms, coroutine, completion, buffer);
    }

    private static final class Manager extends RetryManager {
        private final long self;

        Manager(LockSite site, RetryTerms terms, Coroutine coroutine, Completion completion, BufferSlice buffer) {
            super(site, terms, coroutine, completion, buffer);
            self = Holders.number(coroutine) << HOLDER_SHIFT;
        }

        @Override
        void append(Try lock) {
            if (lock.mode == LockMode.EXCLUSIVE) {
                verbs.cas(lock.address, 0, self, lock.result);
            } else if (lock.isCounted) {
                verbs.read(lock.address, 1, lock.result);
            } else {
                verbs.fetchAdd(lock.address, 1, lock.result);
            }
        }

        @Override
        boolean isRead(Try lock) {
            return lock.isCounted;
        }

        @Override
        boolean takeIn(Try lock, long found) {
            lock.isCounted = lock.mode == LockMode.SHARED;
            return lock.mode == LockMode.EXCLUSIVE ? found == 0 : found >>> HOLDER_SHIFT == 0;
        }

        @Override
        boolean appendRelease(Try lock) {
            if (lock.mode == LockMode.SHARED ? !lock.isCounted : !lock.isHeld) {
                return false;
            }
            verbs.fetchAdd(lock.address, lock.mode == LockMode.SHARED ? -1 : -self, lock.result);
            return true;
        }
    }
}
