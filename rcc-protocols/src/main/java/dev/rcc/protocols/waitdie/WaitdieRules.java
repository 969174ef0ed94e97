package dev.rcc.protocols.waitdie;

import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.locking.LockMode;
import dev.rcc.protocols.locking.LockRules;

/**
 * WAITDIE's rules (rcc, 4.3): a lock belongs to a transaction of some age; a transaction that is older than all its holders waits,
 * every other transaction aborts. Who shares a lock never waits to have it alone: two of one clock would wait for each other. Who has
 * wanted a lock alone for long closes it to new sharers.
 *
 * <p>A transaction's attempts have the same owner, its age. They follow one another, each having seen the end of all that
 * the one before posted, so nothing of an earlier attempt can drop a later one's lock.
 *
 * @param readMode how a record is locked that is only read
 * @param waitNanosMax how long an attempt waits in one lock stage
 */
record WaitdieRules(LockMode readMode, long waitNanosMax) implements LockRules {
    /** An age at which few transactions still run: some ten attempts. */
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
