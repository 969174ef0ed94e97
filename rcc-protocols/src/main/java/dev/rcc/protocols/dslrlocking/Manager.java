package dev.rcc.protocols.dslrlocking;

import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.dslr.Dslr;
import dev.rcc.protocols.locks.dslr.DslrTerms;
import dev.rcc.protocols.locks.ncosed.NCosed;
import dev.rcc.protocols.locks.queue.Traditional;
import dev.rcc.protocols.locks.words.Drtm;
import dev.rcc.protocols.locks.words.RetryOnFail;
import dev.rcc.protocols.locks.words.RetryTerms;

/** The lock managers that the lock stage can use (dslr, 6.1). Users pick one by its name in lower case, with hyphens. */
enum Manager {
    /** Tickets. */
    DSLR {
        @Override
        LockScheme scheme(DslrTerms terms, boolean isGuarded) {
            return new Dslr(terms, isGuarded);
        }

        @Override
        boolean endsByLease() {
            return true;
        }
    },
    /** Queues at the locks' nodes. */
    TRADITIONAL {
        @Override
        LockScheme scheme(DslrTerms terms, boolean isGuarded) {
            return Traditional.inOrder(timeoutNanos(terms));
        }

        @Override
        boolean isTwoSided() {
            return true;
        }
    },
    /** Queues at the locks' nodes, in which readers pass a waiting writer. */
    TRADITIONAL_RO {
        @Override
        LockScheme scheme(DslrTerms terms, boolean isGuarded) {
            return Traditional.readersFirst(timeoutNanos(terms));
        }

        @Override
        boolean isTwoSided() {
            return true;
        }
    },
    /** CAS, and shared locks that end by the clock. */
    DRTM {
        @Override
        LockScheme scheme(DslrTerms terms, boolean isGuarded) {
            return new Drtm(retry(terms), isGuarded);
        }
    },
    /** CAS, and FETCH_ADD to share. */
    RETRY_ON_FAIL {
        @Override
        LockScheme scheme(DslrTerms terms, boolean isGuarded) {
            return new RetryOnFail(retry(terms));
        }
    },
    /** Queues among the waiters. */
    N_COSED {
        @Override
        LockScheme scheme(DslrTerms terms, boolean isGuarded) {
            return new NCosed(timeoutNanos(terms), RETRY_NANOS_MAX);
        }
    };

    /** How many leases a manager without resets waits before a round counts as deadlocked: as long as an attempt waits for its tickets. */
    private static final int LEASES = Tickets.LEASES;
    /** How long DrTM's own transactions share a lock, and the clock skew that it assumes; in nanoseconds. */
    private static final long DRTM_LEASE_NANOS = 400_000;

    private static final long DRTM_SKEW_NANOS = 50_000;
    /** The pause between two tries of a manager that tries again, or between two looks of a manager that waits; in nanoseconds. */
    private static final long RETRY_NANOS_MIN = 1_000;

    private static final long RETRY_NANOS_MAX = 200_000;

    /**
     * Creates the manager.
     *
     * @param isGuarded whether transactions check that their locks still hold before they commit
     */
    abstract LockScheme scheme(DslrTerms terms, boolean isGuarded);

    /** Whether the manager works by RPC only, whatever the hybrid code says. */
    boolean isTwoSided() {
        return false;
    }

    /** Whether a lock ends even if no transaction hands it back. If not, recovery has to end it. */
    boolean endsByLease() {
        return false;
    }

    private static long timeoutNanos(DslrTerms terms) {
        return LEASES * terms.leaseNanos();
    }

    /** A transaction tries a lock whose holder is gone until the time-out: less and less often. */
    private static RetryTerms retry(DslrTerms terms) {
        long first = Math.max(terms.pollNanos(), RETRY_NANOS_MIN);
        return new RetryTerms(
                timeoutNanos(terms), first, Math.max(first, RETRY_NANOS_MAX), DRTM_LEASE_NANOS, DRTM_SKEW_NANOS);
    }
}
