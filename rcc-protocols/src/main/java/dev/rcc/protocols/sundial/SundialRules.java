package dev.rcc.protocols.sundial;

import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.optimistic.LockRules;

/** The rules of {@link SundialLayout}'s word 0, and of waits between transactions. */
final class SundialRules implements LockRules {
    private final WriteConflict conflicts;

    SundialRules(WriteConflict conflicts) {
        this.conflicts = conflicts;
    }

    @Override
    public int metadataBytes() {
        return SundialLayout.METADATA_BYTES;
    }

    @Override
    public boolean isLockable(long word) {
        return !SundialLayout.isLocked(word);
    }

    @Override
    public long locked(long word, long attempt) {
        return SundialLayout.locked(word, SundialLayout.ownerOf(attempt));
    }

    @Override
    public boolean agesHolders() {
        return conflicts == WriteConflict.WAIT_DIE;
    }

    /**
     * Wait-die: the older transaction waits. An age that is not the holder's is of a transaction that held the lock before. An age
     * of the holder's coroutine is the holder's own, or older than that, as a coroutine's transactions get ever younger. So a
     * transaction that waits, having seen an age of that coroutine, is older than the holder, whatever it has missed.
     */
    @Override
    public AbortReason conflict(long word, long holderAge, long age) {
        if (conflicts == WriteConflict.NO_WAIT) {
            return AbortReason.LOCK_CONFLICT;
        }
        boolean isKnown = SundialLayout.ownerOf(holderAge) == SundialLayout.owner(word);
        return isKnown && Timestamp.isBefore(holderAge, age) ? ConflictReasons.WAIT_DIE_DIED : null;
    }

    @Override
    public boolean isHeldBy(long word, long attempt) {
        return SundialLayout.owner(word) == SundialLayout.ownerOf(attempt);
    }

    @Override
    public long released(long held) {
        return SundialLayout.unlocked(SundialLayout.rts(held));
    }

    /** The present version may be leased until then, since no other transaction writes it: the next writer commits later. */
    @Override
    public long released(long held, long commitTs) {
        return SundialLayout.unlocked(Math.max(SundialLayout.rts(held), commitTs));
    }

    /** The new lease begins and ends at the commit. */
    @Override
    public long committed(long held, long commitTs) {
        return SundialLayout.unlocked(commitTs);
    }

    /** What is locked may be read: its holder will commit after the lease that it froze (Sundial, 3.3.1). */
    @Override
    public boolean isReadable(long word, long attempt) {
        return !SundialLayout.isInstalling(word);
    }

    @Override
    public long installing(long held) {
        return SundialLayout.installing(held);
    }
}
