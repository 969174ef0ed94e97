package dev.rcc.protocols.dslrlocking;

import dev.rcc.core.memory.Memory;
import dev.rcc.protocols.optimistic.AttemptWord;

/**
 * The metadata at the start of each tuple and leaf.
 *
 * <pre>
 *   0   guard: 0, or the id of the attempt that is about to install, or does
 *   8   counters of the tickets
 *  16   fence of the tickets
 * </pre>
 *
 * The guard is not part of the fence, where it would have to say whose it is beside a generation and all counters: the answer of a CAS can be
 * lost, and only a word that names its owner says then whether it took effect. As it names one, a reset may pass it. Whoever is let
 * in while another one installs finds the guard taken, or another version.
 */
final class DslrLockingLayout {
    /** Bytes of metadata. */
    static final int METADATA_BYTES = 3 * Memory.WORD_BYTES;
    /** Nobody installs. */
    static final long FREE = AttemptWord.FREE;
    /** Offset of the words of the tickets. */
    static final int TICKETS = Memory.WORD_BYTES;
    /** Offset of the tickets' second word. */
    static final int FENCE = TICKETS + Memory.WORD_BYTES;

    private DslrLockingLayout() {}
}
