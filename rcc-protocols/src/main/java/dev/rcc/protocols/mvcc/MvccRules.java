package dev.rcc.protocols.mvcc;

import dev.rcc.protocols.optimistic.LockRules;

/** The rules of {@link MvccLayout}'s lock word. */
record MvccRules(int metadataBytes) implements LockRules {
    @Override
    public boolean isLockable(long word) {
        return word == MvccLayout.FREE;
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
    public long released(long held) {
        return MvccLayout.FREE;
    }

    @Override
    public long committed(long held, long commitTs) {
        return MvccLayout.FREE;
    }

    @Override
    public boolean isReadable(long word, long attempt) {
        return !MvccLayout.isPending(word, attempt);
    }
}
