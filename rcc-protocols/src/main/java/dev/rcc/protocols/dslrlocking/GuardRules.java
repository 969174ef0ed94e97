package dev.rcc.protocols.dslrlocking;

import dev.rcc.protocols.optimistic.LockRules;

/**
 * What {@link DslrLockingLayout}'s guard means.
 *
 * @param trustsLeases whether updates go without a guard
 */
record GuardRules(boolean trustsLeases) implements LockRules {
    @Override
    public int metadataBytes() {
        return DslrLockingLayout.METADATA_BYTES;
    }

    @Override
    public boolean isLockable(long word) {
        return word == DslrLockingLayout.FREE;
    }

    @Override
    public long locked(long word, long attempt) {
        return attempt;
    }

    @Override
    public boolean isHeldBy(long word, long attempt) {
        return word == attempt;
    }

    @Override
    public boolean isStillHeld(long word, long held) {
        return word == held || (trustsLeases && word == DslrLockingLayout.FREE);
    }

    @Override
    public long released(long held) {
        return DslrLockingLayout.FREE;
    }

    @Override
    public long committed(long held, long commitTs) {
        return DslrLockingLayout.FREE;
    }

    @Override
    public boolean isReadable(long word, long attempt) {
        return word == DslrLockingLayout.FREE;
    }
}
