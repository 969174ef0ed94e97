package dev.rcc.protocols.occ;

import dev.rcc.core.memory.Memory;
import dev.rcc.protocols.optimistic.AttemptWord;

/**
 * OCC's metadata: one lock word, at the start of each tuple and leaf. The paper's {@code seq} is the version, which every
 * tuple and leaf has, and which every install changes.
 *
 * <pre>
 *  63                                                        0
 * +-----------------------------------------------------------+
 * |  0: free                                                  |
 * |  otherwise: held by the attempt whose id this is, which   |
 * |  may be installing                                        |
 * +-----------------------------------------------------------+
 * </pre>
 */
public final class OccLayout {
    /** Bytes of metadata in each tuple and leaf. */
    public static final int METADATA_BYTES = Memory.WORD_BYTES;
    /** No transaction holds the lock. */
    public static final long FREE = AttemptWord.FREE;

    private OccLayout() {}
}
