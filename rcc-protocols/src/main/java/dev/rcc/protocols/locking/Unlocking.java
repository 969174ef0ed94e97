package dev.rcc.protocols.locking;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;

/** How a lock is dropped, by the owner's CPU and one-sided. */
final class Unlocking {
    private Unlocking() {}

    /** Drops a lock that the caller holds. */
    static void unlock(LockRules rules, Memory memory, long offset, LockMode mode) {
        if (mode == LockMode.EXCLUSIVE) {
            memory.putRelease(offset, LockRules.FREE);
            return;
        }
        long left = memory.getAndAdd(offset, -1) - 1;
        if (left != LockRules.FREE && rules.isFree(left)) {
            memory.compareAndExchange(offset, left, LockRules.FREE);
        }
    }

    /** Appends the work requests that drop a lock of {@code owner}; the atomics' results land at {@code result}, and are not used. */
    static void unlock(LockRules rules, long owner, Batch batch, long address, LockMode mode, long result) {
        if (mode == LockMode.EXCLUSIVE) {
            batch.writeWord(LockRules.FREE, address);
            return;
        }
        batch.fetchAdd(address, -1, result);
        long residue = rules.residue(owner);
        if (residue != LockRules.FREE) {
            batch.cas(address, residue, LockRules.FREE, result);
        }
    }
}
