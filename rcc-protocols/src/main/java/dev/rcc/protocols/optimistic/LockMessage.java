package dev.rcc.protocols.optimistic;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;
import dev.rcc.protocols.common.Refusal;

/**
 * The items of a lock RPC. The request's header word is the attempt's id, or its age ({@link LockRules#agesHolders}); the
 * reply's first word is the number of items that were served, of which only the last can have failed: the lock was taken, it is on
 * another key's tuple, or the result is a {@link Refusal}.
 *
 * <pre>
 *  request item                              reply item
 *   0  63..32 region | 31..0 what to lock     0  result
 *   8  offset of the tuple or leaf in the     8  offset of tuple or leaf
 *      region, or hash of the key            16  lock word as it is now
 *  16  identity, of a tuple of a key         24  version
 *                                            32  the other metadata
 * </pre>
 */
final class LockMessage {
    /** Lock a tuple. */
    static final int TUPLE = 1;
    /** Lock a leaf. */
    static final int LEAF = 2;
    /** Claim an index entry for a new key, and lock its slot. */
    static final int RESERVE = 3;
    /** Lock a tuple, and check whether it is the key's: for a blind write, which has read nothing that could show it later. */
    static final int TUPLE_OF_KEY = 4;

    /** The lock is held. */
    static final int LOCKED = 1;
    /** The lock is held by another transaction: the coordinator decides whether to wait or to abort. */
    static final int TAKEN = 2;
    /** The lock is held, but the tuple there is not the wanted key's. */
    static final int LOCKED_ANOTHER = 3;

    private static final int REQUEST_BYTES = 16;

    private static final int WORD_OFFSET = 8;
    private static final int OFFSET_OFFSET = 8;
    private static final int HELD_OFFSET = 16;
    private static final int VERSION_OFFSET = 24;
    private static final int METADATA_OFFSET = 32;

    private LockMessage() {}

    static int requestBytes(int kind, TupleLayout layout) {
        return REQUEST_BYTES + (kind == TUPLE_OF_KEY ? layout.identityBytes() : 0);
    }

    static int replyBytes(int metadataBytes) {
        return METADATA_OFFSET + metadataBytes - Memory.WORD_BYTES;
    }

    /** Writes the item for the tuple or leaf at {@code address}. */
    static void encode(Memory buffers, long item, int kind, long address) {
        encode(buffers, item, kind, RemoteAddress.region(address), RemoteAddress.offset(address));
    }

    /** Writes the item for a tuple or leaf at an offset, or for a key with a hash. */
    static void encode(Memory buffers, long item, int kind, int region, long word) {
        buffers.putLong(item, (long) region << 32 | kind);
        buffers.putLong(item + WORD_OFFSET, word);
    }

    /** Adds the identity to the item for a tuple of a key. */
    static void encodeIdentity(Memory buffers, long item, Access access) {
        buffers.copy(
                access.identityOffset(),
                buffers,
                identityOffset(item),
                access.layout().identityBytes());
    }

    static long identityOffset(long item) {
        return item + REQUEST_BYTES;
    }

    static int kind(Memory memory, long item) {
        return (int) memory.getLong(item);
    }

    static int region(Memory memory, long item) {
        return (int) (memory.getLong(item) >>> 32);
    }

    /** The offset of the tuple or leaf, or the key's hash. */
    static long word(Memory memory, long item) {
        return memory.getLong(item + WORD_OFFSET);
    }

    static void encodeReply(Memory memory, long item, int result, long offset, long held, long version) {
        memory.putLong(item, result);
        memory.putLong(item + OFFSET_OFFSET, offset);
        memory.putLong(item + HELD_OFFSET, held);
        memory.putLong(item + VERSION_OFFSET, version);
    }

    static int result(Memory memory, long item) {
        return (int) memory.getLong(item);
    }

    static long offset(Memory memory, long item) {
        return memory.getLong(item + OFFSET_OFFSET);
    }

    static long held(Memory memory, long item) {
        return memory.getLong(item + HELD_OFFSET);
    }

    static long version(Memory memory, long item) {
        return memory.getLong(item + VERSION_OFFSET);
    }

    /** Where the metadata behind the lock word start. */
    static long metadataOffset(long item) {
        return item + METADATA_OFFSET;
    }
}
