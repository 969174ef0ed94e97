package dev.rcc.protocols.locking;

import dev.rcc.core.time.ClusterClock;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.CasAcquisition;
import dev.rcc.protocols.common.LockTry;

/** The words of locks under {@link LockRules}, for a transaction that takes them by CAS. */
record GrantedWords(LockRules rules, Transaction txn, ClusterClock clock) implements CasAcquisition.Words {
    @Override
    public long taken(long word, LockTry.Wish wish) {
        long owner = rules.owner(txn);
        return switch (wish) {
            case SHARED -> rules.grant(word, LockMode.SHARED, owner);
            case EXCLUSIVE -> rules.grant(word, LockMode.EXCLUSIVE, owner);
            case UPGRADE -> rules.upgrade(word, owner);
        };
    }

    @Override
    public long likely(long seen, LockTry.Wish wish) {
        return wish == LockTry.Wish.UPGRADE ? rules.soleSharer(rules.owner(txn)) : LockRules.FREE;
    }

    @Override
    public long closed(long seen, LockTry.Wish wish) {
        boolean mayClose = wish != LockTry.Wish.SHARED && rules.isShared(seen);
        return mayClose ? rules.close(seen, rules.owner(txn), clock.nanos()) : seen;
    }
}
