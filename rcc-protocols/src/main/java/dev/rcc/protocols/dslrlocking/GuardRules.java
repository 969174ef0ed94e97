package dev.rcc.protocols.dslrlocking;

import dev.rcc.protocols.optimistic.AttemptWord;

/**
 * The meaning of {@link DslrLockingLayout}'s guard.
 *
 * @param trustsLeases whether updates go without a guard
 */
record GuardRules(boolean trustsLeases) implements AttemptWord {
    @Override
    public int metadataBytes() {
        return DslrLockingLayout.METADATA_BYTES;
    }

    @Override
    public boolean isStillHeld(long word, long held) {
        return word == held || (trustsLeases && word == FREE);
    }
}
