package dev.rcc.protocols.dslrlocking;

import dev.rcc.core.memory.Memory;
import dev.rcc.protocols.optimistic.AttemptWord;

/**
 * The metadata at the start of each tuple and leaf.
 *
 * <pre>
 *   0   guard: 0, or the id of the attempt that installs or is about to
 *   8   counters of the tickets
 *  16   fence of the tickets
 * </pre>
 *
 * The guard is not part of the fence, where its owner would not fit beside a generation and all counters. The reply to a CAS can be
 * lost, and then only a word that names its owner shows whether the CAS took effect. As the guard names its owner, a reset may pass it. A
 * transaction that is let in while another one installs finds the guard taken, or a changed version.
 */
final class DslrLockingLayout {
    /** Bytes of metadata. */
    static final int METADATA_BYTES = 3 * Memory.WORD_BYTES;
    /** No attempt installs. */
    static final long FREE = AttemptWord.FREE;
    /** Offset of the words of the tickets. */
    static final int TICKETS = Memory.WORD_BYTES;
    /** Offset of the tickets' second word. */
    static final int FENCE = TICKETS + Memory.WORD_BYTES;

    private DslrLockingLayout() {}
}
