package dev.rcc.it.example;

import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.locking.LockMode;
import dev.rcc.protocols.locking.LockRules;

/** EXCLUSIVE's rules (rcc, 4.2): a lock is free or held, and a transaction that meets a held lock aborts at once. */
class ExclusiveRules implements LockRules {
    @Override
    public long owner(Transaction txn) {
        return txn.id();
    }

    @Override
    public boolean isFree(long word) {
        return word == ExclusiveLayout.FREE;
    }

    @Override
    public long grant(long word, LockMode mode, long owner) {
        if (word != ExclusiveLayout.FREE) {
            return FREE; // not granted
        }
        return mode == LockMode.EXCLUSIVE ? owner : ExclusiveLayout.READER;
    }

    @Override
    public long upgrade(long word, long owner) {
        return word == ExclusiveLayout.READER ? owner : FREE; // the only reader is the caller
    }

    @Override
    public long soleSharer(long owner) {
        return ExclusiveLayout.READER;
    }

    @Override
    public long residue(long owner) {
        return FREE; // the FETCH_ADD that drops a reader's lock leaves 0
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
