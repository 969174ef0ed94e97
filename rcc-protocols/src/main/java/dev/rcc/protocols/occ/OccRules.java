package dev.rcc.protocols.occ;

import dev.rcc.protocols.optimistic.LockRules;

/** What {@link OccLayout}'s lock word means. */
final class OccRules implements LockRules {
    @Override
    public int metadataBytes() {
        return OccLayout.METADATA_BYTES;
    }

    @Override
    public boolean isLockable(long word) {
        return word == OccLayout.FREE;
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
        return OccLayout.FREE;
    }

    @Override
    public long committed(long held, long commitTs) {
        return OccLayout.FREE;
    }

    @Override
    public boolean isReadable(long word, long attempt) {
        return word == OccLayout.FREE;
    }
}
