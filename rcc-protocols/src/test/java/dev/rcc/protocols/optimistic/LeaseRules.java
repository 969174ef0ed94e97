package dev.rcc.protocols.optimistic;

import dev.rcc.core.time.Timestamp;

/**
 * Rules that use every feature of rules: a lock word with a field that outlives the lock, a mark for installing, and more metadata, of which one word
 * is installed and one is not.
 *
 * <pre>
 *  63      32 31     16       1            0
 *  lease     | owner   | ... | installing | locked
 * </pre>
 */
final class LeaseRules implements LockRules {
    static final long LOCKED = 1;
    static final long INSTALLING = 2;

    static long free(long lease) {
        return lease << 32;
    }

    static long lockedBy(long lease, long owner) {
        return lease << 32 | owner << 16 | LOCKED;
    }

    @Override
    public int metadataBytes() {
        return 24;
    }

    @Override
    public boolean isLockable(long word) {
        return (word & LOCKED) == 0;
    }

    @Override
    public long locked(long word, long attempt) {
        return lockedBy(word >>> 32, owner(attempt));
    }

    @Override
    public boolean isHeldBy(long word, long attempt) {
        return (word & ~INSTALLING) == lockedBy(word >>> 32, owner(attempt));
    }

    @Override
    public long released(long held) {
        return free(held >>> 32);
    }

    @Override
    public long committed(long held, long commitTs) {
        return free(owner(commitTs));
    }

    @Override
    public boolean isReadable(long word, long attempt) {
        return (word & INSTALLING) == 0;
    }

    @Override
    public long installing(long held) {
        return held | INSTALLING;
    }

    @Override
    public int installedMetadataBytes() {
        return 8;
    }

    static long owner(long attempt) {
        return Timestamp.clock(attempt) & 0xFFFF;
    }
}
