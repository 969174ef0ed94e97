package dev.rcc.it.example.punctual;

import dev.rcc.core.time.ClusterClock;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.locking.LockMode;
import dev.rcc.protocols.locking.LockRules;

/** PUNCTUAL's rules: a lock belongs to an attempt, and the attempt's id says when its time is over. */
class PunctualRules implements LockRules {
    private final long patienceNanos;

    /** Attempts have {@code patienceNanos} nanoseconds from the time in their ids on. */
    PunctualRules(long patienceNanos) {
        this.patienceNanos = patienceNanos;
    }

    /**
     * How long it takes, at least, until the deadline of an attempt has come in the cluster's time; 0 or less if it may have. An id may be
     * ahead of its node's clock, as timestamps follow those that they meet, and the deadline with it. A clock whose error has no bound is
     * taken at its word.
     */
    static long leftNanos(long id, long patienceNanos, ClusterClock clock) {
        long now = clock.nanos();
        long error = clock.errorNanos() == ClusterClock.NO_BOUND ? 0 : clock.errorNanos();
        return Timestamp.clock(id) * Timestamp.TICK_NANOS + patienceNanos - (now + error);
    }

    @Override
    public AbortReason overdue(Transaction txn) {
        return leftNanos(txn.id(), patienceNanos, txn.clock().source()) > 0 ? null : Punctual.DEADLINE_PASSED;
    }

    @Override
    public AbortReason refusal(long word, long owner) {
        return PunctualLayout.mayWait(word, owner) ? null : AbortReason.LOCK_CONFLICT;
    }

    @Override
    public long waitNanosMax() {
        return patienceNanos;
    }

    @Override
    public long owner(Transaction txn) {
        return txn.id();
    }

    @Override
    public boolean isFree(long word) {
        return word == FREE;
    }

    @Override
    public boolean isShared(long word) {
        return PunctualLayout.isShared(word);
    }

    @Override
    public long grant(long word, LockMode mode, long owner) {
        if (mode == LockMode.EXCLUSIVE) {
            return word == FREE ? owner : FREE;
        }
        return PunctualLayout.canShare(word) ? word + 1 : FREE;
    }

    @Override
    public long upgrade(long word, long owner) {
        return word == PunctualLayout.ONE_SHARER ? owner : FREE;
    }

    @Override
    public long soleSharer(long owner) {
        return PunctualLayout.ONE_SHARER;
    }

    @Override
    public long residue(long owner) {
        return FREE;
    }
}
