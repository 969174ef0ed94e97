package dev.rcc.protocols.occ;

import dev.rcc.protocols.optimistic.AttemptWord;

/** The meaning of {@link OccLayout}'s lock word. */
final class OccRules implements AttemptWord {
    @Override
    public int metadataBytes() {
        return OccLayout.METADATA_BYTES;
    }
}
