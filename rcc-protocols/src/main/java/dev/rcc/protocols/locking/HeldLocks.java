package dev.rcc.protocols.locking;

import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.LockSet;

/** The locks of an attempt: a {@link LockRequest} for each access, and the leaves. */
final class HeldLocks extends LockSet<LockRequest, SharableLeaf> {
    private final Transaction txn;
    private long owner;

    HeldLocks(Transaction txn) {
        this.txn = txn;
    }

    @Override
    protected LockRequest newTuple() {
        return new LockRequest();
    }

    @Override
    protected SharableLeaf newLeaf() {
        return new SharableLeaf();
    }

    /** Forgets the previous attempt; {@code newOwner} stands for the transaction in lock words. */
    void begin(long newOwner) {
        owner = newOwner;
        clear();
    }

    /** The value that stands for the transaction in lock words. */
    long owner() {
        return owner;
    }

    /** Makes requests for the accesses that have none yet, {@code limit} at most, and returns the number of the first. */
    int admitNew(int limit) {
        int first = size();
        while (size() < txn.size() && size() - first < limit) {
            Access access = txn.access(size());
            add().begin(access);
        }
        return first;
    }
}
