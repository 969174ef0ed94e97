package dev.rcc.protocols.waitdie;

import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.locking.LockMode;
import dev.rcc.protocols.locking.LockRules;

/**
 * WAITDIE's rules (rcc, 4.3): a lock belongs to a transaction of some age. A transaction that is older than all holders waits;
 * every other transaction aborts. A sharer never waits to hold the lock alone: two sharers of one clock would wait for each other. A
 * transaction that has long wanted to hold a lock alone closes it to new sharers.
 *
 * <p>A transaction's attempts have the same owner, its age. An attempt begins after all work requests of the one before have
 * ended, so nothing of an earlier attempt can drop a later one's lock.
 *
 * @param readMode the lock mode of a record that is only read
 * @param waitNanosMax the longest wait of an attempt in one lock stage, in nanoseconds
 */
record WaitdieRules(LockMode readMode, long waitNanosMax) implements LockRules {
    /** An age that few transactions reach: some ten attempts. */
    private static final long PATIENCE_NANOS = 5_000_000;

    @Override
    public long owner(Transaction txn) {
        return WaitdieLayout.owner(txn.age());
    }

    @Override
    public boolean isFree(long word) {
        return WaitdieLayout.isFree(word);
    }

    @Override
    public boolean isShared(long word) {
        return WaitdieLayout.isShared(word);
    }

    @Override
    public long grant(long word, LockMode mode, long owner) {
        if (mode == LockMode.EXCLUSIVE) {
            return WaitdieLayout.isFree(word) ? owner : FREE;
        }
        return WaitdieLayout.canShare(word) ? WaitdieLayout.share(word, owner) : FREE;
    }

    @Override
    public long upgrade(long word, long owner) {
        return WaitdieLayout.isShared(word) && WaitdieLayout.sharers(word) == 1 ? owner : FREE;
    }

    @Override
    public long soleSharer(long owner) {
        return WaitdieLayout.share(FREE, owner);
    }

    @Override
    public long residue(long owner) {
        return WaitdieLayout.residue(owner);
    }

    @Override
    public long close(long word, long owner, long nowNanos) {
        boolean isPatient = nowNanos - Timestamp.clock(owner) * Timestamp.TICK_NANOS < PATIENCE_NANOS;
        return isPatient ? word : WaitdieLayout.close(word);
    }

    @Override
    public AbortReason refusal(long word, long owner) {
        return WaitdieLayout.mayWait(word, owner) ? null : ConflictReasons.WAIT_DIE_DIED;
    }
}
