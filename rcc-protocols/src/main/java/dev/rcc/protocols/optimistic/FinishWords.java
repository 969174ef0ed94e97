package dev.rcc.protocols.optimistic;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.txn.Access;
import dev.rcc.protocols.common.InstallMessage;

/**
 * The words that optimistic protocols add to each item of a commit or release RPC. An item is carried out only while the lock word is the
 * word that it names.
 *
 * <pre>
 *   0   lock word that is held
 *   8   lock word to leave behind
 *  16   lock word while installing
 *  24   metadata to install with a write
 * </pre>
 */
final class FinishWords {
    /** Number of the word: the lock word that is held. */
    static final int HELD = 0;
    /** Number of the word: the lock word to leave behind. */
    static final int LEFT = 1;
    /** Number of the word: the lock word while installing. */
    static final int INSTALLING = 2;

    private static final int BYTES = 3 * Memory.WORD_BYTES;

    private FinishWords() {}

    static InstallMessage format(LockRules rules) {
        return new InstallMessage(BYTES + rules.installedMetadataBytes());
    }

    static void encode(Memory buffers, long item, long held, long left, long installing) {
        long own = InstallMessage.ownOffset(item);
        buffers.putLong(own + (long) HELD * Memory.WORD_BYTES, held);
        buffers.putLong(own + (long) LEFT * Memory.WORD_BYTES, left);
        buffers.putLong(own + (long) INSTALLING * Memory.WORD_BYTES, installing);
    }

    /** Adds the metadata that a write installs. */
    static void encodeMetadata(Memory buffers, long item, Access access, LockRules rules) {
        long target = metadataOffset(InstallMessage.ownOffset(item));
        buffers.copy(access.imageOffset() + Memory.WORD_BYTES, buffers, target, rules.installedMetadataBytes());
    }

    static long metadataOffset(long ownOffset) {
        return ownOffset + BYTES;
    }
}
