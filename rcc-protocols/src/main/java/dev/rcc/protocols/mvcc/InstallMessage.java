package dev.rcc.protocols.mvcc;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;

/**
 * The items of a commit RPC, carried out in their order, each only while its lock word is the request's header word, the
 * attempt's id, which is the new version, too. The reply is empty.
 *
 * <pre>
 *   0   63..32 region | 31..0 what to do
 *   8   offset of the tuple or leaf in the region
 *  16   insert: hash of the key
 *  24   insert: identity
 *   .   update, insert: record
 * </pre>
 */
final class InstallMessage {
    /** Write a leaf's version. */
    static final int MARK_LEAF = 1;
    /** Move the record into the history, write version and record, unlock. */
    static final int UPDATE = 2;
    /** Write version, identity and record, publish the index entry, unlock. */
    static final int INSERT = 3;
    /** Drop the history, write the version, clear the identity, unlock, free the index entry. */
    static final int DELETE = 4;
    /** Unlock a leaf. */
    static final int UNLOCK_LEAF = 5;

    private static final int OFFSET_OFFSET = 8;
    private static final int HASH_OFFSET = 16;
    private static final int CONTENT_OFFSET = 24;

    private InstallMessage() {}

    /** What committing means for an access. */
    static int action(Access access) {
        return switch (access.intent()) {
            case UPDATE, WRITE -> UPDATE;
            case INSERT -> INSERT;
            case DELETE -> DELETE;
            case READ -> throw new IllegalStateException("a read installs nothing");
        };
    }

    static int bytes(int action, TupleLayout layout) {
        return CONTENT_OFFSET
                + switch (action) {
                    case UPDATE -> layout.recordBytes();
                    case INSERT -> layout.identityBytes() + layout.recordBytes();
                    default -> 0;
                };
    }

    static void encode(Memory buffers, long item, int action, long address) {
        buffers.putLong(item, (long) RemoteAddress.region(address) << 32 | action);
        buffers.putLong(item + OFFSET_OFFSET, RemoteAddress.offset(address));
        buffers.putLong(item + HASH_OFFSET, 0);
    }

    static void encodeContent(Memory buffers, long item, int action, Access access) {
        TupleLayout t = access.layout();
        long target = item + CONTENT_OFFSET;
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

    static long keyHash(Memory memory, long item) {
        return memory.getLong(item + HASH_OFFSET);
    }

    static long contentOffset(long item) {
        return item + CONTENT_OFFSET;
    }
}
