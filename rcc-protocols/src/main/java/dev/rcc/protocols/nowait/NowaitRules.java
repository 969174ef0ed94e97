package dev.rcc.protocols.nowait;

import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.locking.LockMode;
import dev.rcc.protocols.locking.LockRules;

/**
 * NOWAIT's rules (rcc, 4.2): a lock belongs to an attempt, and a transaction that meets a conflicting lock aborts at once.
 *
 * @param readMode the lock mode of a record that is only read
 */
record NowaitRules(LockMode readMode) implements LockRules {
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
        return NowaitLayout.isShared(word);
    }

    @Override
    public long grant(long word, LockMode mode, long owner) {
        if (mode == LockMode.EXCLUSIVE) {
            return word == FREE ? owner : FREE;
        }
        return NowaitLayout.canShare(word) ? word + 1 : FREE;
    }

    @Override
    public long upgrade(long word, long owner) {
        return word == NowaitLayout.ONE_SHARER ? owner : FREE;
    }

    @Override
    public long soleSharer(long owner) {
        return NowaitLayout.ONE_SHARER;
    }

    @Override
    public long residue(long owner) {
        return FREE;
    }

    @Override
    public AbortReason refusal(long word, long owner) {
        return AbortReason.LOCK_CONFLICT;
    }

    @Override
    public long waitNanosMax() {
        return 0;
    }
}
