package dev.rcc.it.example.punctual;

import dev.rcc.core.time.ClusterClock;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.locking.LockMode;
import dev.rcc.protocols.locking.LockRules;

/** PUNCTUAL's rules: a lock belongs to an attempt, and the attempt's id determines its deadline. */
class PunctualRules implements LockRules {
    private final long patienceNanos;

    /** Creates the rules; an attempt's deadline is {@code patienceNanos} nanoseconds after the time in its id. */
    PunctualRules(long patienceNanos) {
        this.patienceNanos = patienceNanos;
    }

    /**
     * The least time until an attempt's deadline, in nanoseconds of the cluster's time; 0 or less if the deadline may have come. An id, and so
     * the deadline, may be ahead of its node's clock, since a node draws timestamps greater than those it observes. If the clock's error has
     * no bound, it counts as 0.
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
