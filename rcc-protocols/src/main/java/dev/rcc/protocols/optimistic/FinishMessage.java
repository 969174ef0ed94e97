package dev.rcc.protocols.optimistic;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;

/**
 * The items of a commit or release RPC: one for each lock that is to be dropped, with what is to be installed before. An
 * item is carried out only while the lock word is the one that it names. The reply is empty.
 *
 * <pre>
 *   0   63..32 region | 31..0 what to do
 *   8   offset of the tuple or leaf in the region
 *  16   lock word that is held
 *  24   lock word to leave behind
 *  32   lock word while installing
 *  40   new version
 *  48   insert: hash of the key
 *  56   update, delete: installed metadata. Insert: installed metadata, identity
 *   .   update, insert: record
 * </pre>
 */
final class FinishMessage {
    /** Drop the lock. */
    static final int UNLOCK = 1;
    /** Drop the lock, and the claim on the tuple's index entry. */
    static final int UNRESERVE = 2;
    /** Write the record, unlock. */
    static final int UPDATE = 3;
    /** Write identity and record, publish the index entry, unlock. */
    static final int INSERT = 4;
    /** Clear the identity, unlock, free the index entry. */
    static final int DELETE = 5;
    /** Write the leaf's version, unlock. */
    static final int WRITE_LEAF = 6;
    /** Mark a leaf as installing. */
    static final int MARK = 7;

    private static final int OFFSET_OFFSET = 8;
    private static final int HELD_OFFSET = 16;
    private static final int LEFT_OFFSET = 24;
    private static final int INSTALLING_OFFSET = 32;
    private static final int VERSION_OFFSET = 40;
    private static final int HASH_OFFSET = 48;
    private static final int CONTENT_OFFSET = 56;

    private FinishMessage() {}

    /** What committing means for an access. */
    static int install(Access access) {
        return switch (access.intent()) {
            case UPDATE, WRITE -> UPDATE;
            case INSERT -> INSERT;
            case DELETE -> DELETE;
            case READ -> throw new IllegalStateException("a read installs nothing");
        };
    }

    static int bytes(int action, TupleLayout layout, LockRules rules) {
        return CONTENT_OFFSET
                + switch (action) {
                    case UPDATE -> rules.installedMetadataBytes() + layout.recordBytes();
                    case INSERT -> rules.installedMetadataBytes() + layout.identityBytes() + layout.recordBytes();
                    case DELETE -> rules.installedMetadataBytes();
                    default -> 0;
                };
    }

    static void encode(
            Memory buffers, long item, int action, long address, long held, long left, long installing, long version) {
        buffers.putLong(item, (long) RemoteAddress.region(address) << 32 | action);
        buffers.putLong(item + OFFSET_OFFSET, RemoteAddress.offset(address));
        buffers.putLong(item + HELD_OFFSET, held);
        buffers.putLong(item + LEFT_OFFSET, left);
        buffers.putLong(item + INSTALLING_OFFSET, installing);
        buffers.putLong(item + VERSION_OFFSET, version);
        buffers.putLong(item + HASH_OFFSET, 0);
    }

    /** Adds what is to be installed. */
    static void encodeContent(Memory buffers, long item, int action, Access access, LockRules rules) {
        TupleLayout t = access.layout();
        long target = item + CONTENT_OFFSET;
        int metadataBytes = rules.installedMetadataBytes();
        buffers.copy(access.imageOffset() + Memory.WORD_BYTES, buffers, target, metadataBytes);
        target += metadataBytes;
        if (action == INSERT) {
            buffers.putLong(item + HASH_OFFSET, access.keyHash());
            buffers.copy(access.identityOffset(), buffers, target, t.identityBytes());
            target += t.identityBytes();
        }
        if (action != DELETE) {
            buffers.copy(access.imageOffset() + t.recordOffset(), buffers, target, t.recordBytes());
        }
    }

    static int action(Memory memory, long item) {
        return (int) memory.getLong(item);
    }

    static int region(Memory memory, long item) {
        return (int) (memory.getLong(item) >>> 32);
    }

    static long offset(Memory memory, long item) {
        return memory.getLong(item + OFFSET_OFFSET);
    }

    static long held(Memory memory, long item) {
        return memory.getLong(item + HELD_OFFSET);
    }

    static long left(Memory memory, long item) {
        return memory.getLong(item + LEFT_OFFSET);
    }

    static long installing(Memory memory, long item) {
        return memory.getLong(item + INSTALLING_OFFSET);
    }

    static long version(Memory memory, long item) {
        return memory.getLong(item + VERSION_OFFSET);
    }

    static long keyHash(Memory memory, long item) {
        return memory.getLong(item + HASH_OFFSET);
    }

    static long contentOffset(long item) {
        return item + CONTENT_OFFSET;
    }
}
