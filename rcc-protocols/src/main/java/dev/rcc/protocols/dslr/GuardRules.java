package dev.rcc.protocols.dslr;

import dev.rcc.protocols.optimistic.LockRules;

/**
 * What {@link GuardLayout}'s guard means.
 *
 * @param trustsLeases whether updates go without a guard
 */
record GuardRules(boolean trustsLeases) implements LockRules {
    @Override
    public int metadataBytes() {
        return GuardLayout.METADATA_BYTES;
    }

    @Override
    public boolean isLockable(long word) {
        return word == GuardLayout.FREE;
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
        return word == held || (trustsLeases && word == GuardLayout.FREE);
    }

    @Override
    public long released(long held) {
        return GuardLayout.FREE;
    }

    @Override
    public long committed(long held, long commitTs) {
        return GuardLayout.FREE;
    }

    @Override
    public boolean isReadable(long word, long attempt) {
        return word == GuardLayout.FREE;
    }
}
