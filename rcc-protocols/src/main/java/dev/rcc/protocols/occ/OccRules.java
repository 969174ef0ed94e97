package dev.rcc.protocols.occ;

import dev.rcc.protocols.optimistic.AttemptWord;

/** What {@link OccLayout}'s lock word means. */
final class OccRules implements AttemptWord {
    @Override
    public int metadataBytes() {
        return OccLayout.METADATA_BYTES;
    }
}
