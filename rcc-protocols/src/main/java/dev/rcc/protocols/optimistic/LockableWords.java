package dev.rcc.protocols.optimistic;

import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.CasAcquisition;
import dev.rcc.protocols.common.LockTry;

/** The words of locks under {@link LockRules}, for a transaction that takes them by CAS and always holds them alone. */
record LockableWords(LockRules rules, Transaction txn) implements CasAcquisition.Words {
    @Override
    public long taken(long word, LockTry.Wish wish) {
        return rules.isLockable(word) ? rules.locked(word, txn.id()) : CasAcquisition.REFUSED;
    }

    @Override
    public long likely(long seen, LockTry.Wish wish) {
        return rules.released(seen);
    }
}
