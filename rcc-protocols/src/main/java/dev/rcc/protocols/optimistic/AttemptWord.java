package dev.rcc.protocols.optimistic;

/** A lock word that is 0 while it is free, and otherwise the id of the attempt that holds it, which may be installing. */
public interface AttemptWord extends LockRules {
    /** No transaction holds the lock. */
    long FREE = 0;

    @Override
    default boolean isLockable(long word) {
        return word == FREE;
    }

    @Override
    default long locked(long word, long attempt) {
        return attempt;
    }

    @Override
    default boolean isHeldBy(long word, long attempt) {
        return word == attempt;
    }

    @Override
    default long released(long held) {
        return FREE;
    }

    @Override
    default long committed(long held, long commitTs) {
        return FREE;
    }

    @Override
    default boolean isReadable(long word, long attempt) {
        return word == FREE;
    }
}
