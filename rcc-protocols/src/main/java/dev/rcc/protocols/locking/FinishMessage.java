package dev.rcc.protocols.locking;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;

/**
 * The items of a commit or release RPC: one for each lock that is to be dropped, with what is to be installed before.
 * The request's header word is the owner, as lock words know it; an exclusive lock of anybody else is left alone. The
 * reply is empty.
 *
 * <pre>
 *   0   63..32 region | 31..0 what to do
 *   8   offset of the tuple or leaf in the region
 *  16   insert: hash of the key. Delete, or write a leaf: the new version
 *  24   update: value (version and record). Insert: identity and value
 * </pre>
 */
final class FinishMessage {
    /** Drop a shared lock. */
    static final int UNLOCK_SHARED = 1;
    /** Drop an exclusive lock. */
    static final int UNLOCK_EXCLUSIVE = 2;
    /** Drop an exclusive lock and the reservation of the tuple's index entry. */
    static final int UNRESERVE = 3;
    /** Write the value, unlock. */
    static final int UPDATE = 4;
    /** Write identity and value, publish the index entry, unlock. */
    static final int INSERT = 5;
    /** Clear identity and version, unlock, free the index entry. */
    static final int DELETE = 6;
    /** Write the leaf's version, unlock. */
    static final int WRITE_LEAF = 7;

    /** Bytes of a leaf's item. */
    static final int LEAF_BYTES = 24;

    private static final int OFFSET_OFFSET = 8;
    private static final int WORD_OFFSET = 16;
    private static final int CONTENT_OFFSET = 24;

    private FinishMessage() {}

    static int bytes(LockRequest request, boolean installed) {
        return bytes(action(request, installed), request.access().layout());
    }

    static int bytes(int action, TupleLayout layout) {
        return switch (action) {
            case UPDATE -> CONTENT_OFFSET + layout.valueBytes();
            case INSERT -> CONTENT_OFFSET + layout.identityBytes() + layout.valueBytes();
            default -> CONTENT_OFFSET;
        };
    }

    static void encode(Memory buffers, long item, LockRequest request, boolean installed, long commitTs) {
        Access access = request.access();
        int action = action(request, installed);
        header(buffers, item, action, access.tupleAddress());
        if (action == DELETE) {
            buffers.putLong(item + WORD_OFFSET, commitTs);
        } else if (action == UPDATE) {
            long value = access.imageOffset() + access.layout().versionOffset();
            buffers.copy(value, buffers, item + CONTENT_OFFSET, access.layout().valueBytes());
        } else if (action == INSERT) {
            int identityBytes = access.layout().identityBytes();
            long value = access.imageOffset() + access.layout().versionOffset();
            buffers.putLong(item + WORD_OFFSET, access.keyHash());
            buffers.copy(access.identityOffset(), buffers, item + CONTENT_OFFSET, identityBytes);
            buffers.copy(
                    value,
                    buffers,
                    item + CONTENT_OFFSET + identityBytes,
                    access.layout().valueBytes());
        }
    }

    /** Writes a leaf's item; {@code version} is its new version, or 0 if it is only unlocked. */
    static void encode(Memory buffers, long item, SharableLeaf leaf, long version) {
        int unlock = leaf.mode == LockMode.SHARED ? UNLOCK_SHARED : UNLOCK_EXCLUSIVE;
        header(buffers, item, version == 0 ? unlock : WRITE_LEAF, leaf.address());
        buffers.putLong(item + WORD_OFFSET, version);
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

    /** The word of an insert (the key's hash), or of a delete or leaf (the new version). */
    static long word(Memory memory, long item) {
        return memory.getLong(item + WORD_OFFSET);
    }

    /** Where an update's value, or an insert's identity and value, starts. */
    static long contentOffset(long item) {
        return item + CONTENT_OFFSET;
    }

    private static int action(LockRequest request, boolean installed) {
        if (!installed) {
            return request.isReserved()
                    ? UNRESERVE
                    : request.held == LockMode.SHARED ? UNLOCK_SHARED : UNLOCK_EXCLUSIVE;
        }
        return switch (request.access().intent()) {
            case UPDATE, WRITE -> UPDATE;
            case INSERT -> INSERT;
            case DELETE -> DELETE;
            case READ -> throw new IllegalStateException("a read installs nothing");
        };
    }

    private static void header(Memory buffers, long item, int action, long address) {
        buffers.putLong(item, (long) RemoteAddress.region(address) << 32 | action);
        buffers.putLong(item + OFFSET_OFFSET, RemoteAddress.offset(address));
    }
}
