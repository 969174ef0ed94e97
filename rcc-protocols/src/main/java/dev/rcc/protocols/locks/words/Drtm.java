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
 * DrTM's locks (dslr, 6.1; Wei et al., 2015): CAS for both modes, and shared locks that end by the clock, so that no sharer gives them back.
 *
 * <pre>
 *  63 62                                                             0
 * +--+----------------------------------------------------------------+
 * |0 |  0, or the end of the shared lock: wall-clock nanoseconds      |
 * |1 |  the exclusive holder's number                                 |
 * +--+----------------------------------------------------------------+
 * </pre>
 *
 * Its exclusion rests on clocks that are never further apart than the terms allow.
 */
public final class Drtm implements LockScheme {
    private static final long EXCLUSIVE = 1L << 63;

    private final RetryTerms terms;
    private final boolean isGuarded;

    /** Creates the scheme on terms. */
    public Drtm(RetryTerms terms) {
        this(terms, false);
    }

    /**
     * Creates the scheme on terms.
     *
     * @param isGuarded whether holders check in another way that no transaction has written the records that they share: then a lease that
     *     runs out while they wait for further locks is no reason to give up
     */
    public Drtm(RetryTerms terms, boolean isGuarded) {
        this.terms = terms;
        this.isGuarded = isGuarded;
    }

    @Override
    public String name() {
        return "drtm";
    }

    @Override
    public Set<WordChange> changes(Primitive primitive) {
        return Set.of(new WordChange(
                SharedWord.LOCK, primitive == Primitive.RPC ? WordChange.By.OWNER_CPU : WordChange.By.REMOTE_ATOMIC));
    }

    @Override
    public boolean isAtRest(long word) {
        return word >= 0;
    }

    @Override
    public Locks serve(LockSite site) {
        LockVerbs.serve(site);
        return (coroutine, completion, buffer) -> new Manager(site, terms, isGuarded, coroutine, completion, buffer);
    }

    private static final class Manager extends RetryManager {
        private final long self;
        private final boolean isGuarded;

        Manager(
                LockSite site,
                RetryTerms terms,
                boolean isGuarded,
                Coroutine coroutine,
                Completion completion,
                BufferSlice buffer) {
            super(site, terms, coroutine, completion, buffer);
            this.isGuarded = isGuarded;
            self = EXCLUSIVE | Holders.number(coroutine);
        }

        @Override
        void append(Try lock) {
            lock.desired = lock.mode == LockMode.EXCLUSIVE ? self : worker.wallNanos() + terms.leaseNanos();
            verbs.cas(lock.address, lock.expected, lock.desired, lock.result);
        }

        @Override
        boolean takeIn(Try lock, long found) {
            if (found == lock.expected) {
                return true;
            }
            long now = worker.wallNanos();
            if (found < 0) {
                lock.expected = 0; // the word that its holder will leave
                return false;
            }
            if (lock.mode == LockMode.SHARED && found - terms.skewNanos() > now) {
                lock.desired = found; // the lease of another sharer, which is as good
                return true;
            }
            lock.expected = found;
            long left = found + terms.skewNanos() - now;
            lock.nextNanos = worker.nanoTime() + Math.max(0, left + 1);
            return false;
        }

        @Override
        boolean isHeldForLong() {
            return isGuarded || isWithinLease();
        }

        @Override
        boolean appendRelease(Try lock) {
            if (lock.mode == LockMode.SHARED || !lock.isHeld) {
                return false;
            }
            verbs.cas(lock.address, self, 0, lock.result);
            return true;
        }

        @Override
        public long leaseLeftNanos(int number) {
            Try lock = held(number);
            return lock.mode == LockMode.EXCLUSIVE
                    ? Long.MAX_VALUE / 2
                    : lock.desired - terms.skewNanos() - worker.wallNanos();
        }
    }
}
