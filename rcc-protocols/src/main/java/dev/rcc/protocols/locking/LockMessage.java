package dev.rcc.protocols.locking;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.AbortReasons;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.KeyItem;
import dev.rcc.protocols.common.Refusal;

/**
 * The items of a lock RPC. The request's items are {@link KeyItem}s, and its header word is the owner, as in lock words; the reply's first word is the
 * number of items that were served, of which only the last can have failed: its result is a {@link Refusal}.
 *
 * <pre>
 *  request item                                    reply item
 *   0  63..32 partition | 31..16 table |            0  32..24 result | 23..16 leaf's mode | 15..8 reserved |
 *      15..8 mode in which the leaf is held |          7..0 tuple's mode
 *      7..0 intent                                  8  offset of the tuple in its region
 *   8  hash of the key                             16  version of the leaf, if it is held
 *  16  identity                                    24  version of the slot, if it is reserved
 *                                                  32  tuple, if it was found; of a blind write, the bytes before the record
 * </pre>
 */
final class LockMessage {
    /** The key has a tuple, which is locked and returned. */
    static final int FOUND = 1;
    /** The key has no tuple; its leaf is locked. */
    static final int ABSENT = 2;

    private static final int LEAF_MODE_SHIFT = 8;

    private static final int TUPLE_OFFSET = 8;
    private static final int LEAF_VERSION_OFFSET = 16;
    private static final int SLOT_VERSION_OFFSET = 24;
    private static final int IMAGE_OFFSET = 32;

    private static final int RESULT_SHIFT = 24;
    private static final int RESULT_MASK = (1 << Refusal.BITS) - 1;
    private static final int BYTE = 0xFF;

    private LockMessage() {}

    static int replyBytes(TupleLayout layout, Intent intent) {
        return IMAGE_OFFSET + Access.fetchedBytes(layout, intent);
    }

    // ---- the request -----------------------------------------------------------------------------------------------

    static void encode(Memory buffers, long item, Access access, LockMode leafMode) {
        KeyItem.encode(
                buffers,
                item,
                access,
                leafMode.code() << LEAF_MODE_SHIFT | access.declaredIntent().code());
    }

    static Intent intent(Memory memory, long item) {
        return Intent.ofCode(KeyItem.own(memory, item) & BYTE);
    }

    static LockMode leafMode(Memory memory, long item) {
        return LockMode.ofCode(KeyItem.own(memory, item) >>> LEAF_MODE_SHIFT);
    }

    // ---- the reply -------------------------------------------------------------------------------------------------

    static void encodeReply(
            Memory memory,
            long item,
            int result,
            LockMode tupleMode,
            boolean reserved,
            LockMode leafMode,
            long tuple,
            long leafVersion,
            long slotVersion) {
        memory.putLong(
                item,
                (long) result << RESULT_SHIFT
                        | (long) leafMode.code() << 16
                        | (reserved ? 1L << 8 : 0)
                        | tupleMode.code());
        memory.putLong(item + TUPLE_OFFSET, tuple);
        memory.putLong(item + LEAF_VERSION_OFFSET, leafVersion);
        memory.putLong(item + SLOT_VERSION_OFFSET, slotVersion);
    }

    /** {@link #FOUND}, {@link #ABSENT} or a {@link Refusal}. */
    static int result(Memory memory, long item) {
        return (int) (memory.getLong(item) >>> RESULT_SHIFT) & RESULT_MASK;
    }

    static long imageOffset(long item) {
        return item + IMAGE_OFFSET;
    }

    /** Takes a reply's item into the coordinator's view: the locks held, and the tuple fetched. */
    static void decode(Memory buffers, long item, LockRequest request, Transaction txn, AbortReasons reasons) {
        long word = buffers.getLong(item);
        Access access = request.access();
        SharableLeaf leaf = request.leaf;
        request.held = LockMode.ofCode((int) word & BYTE);
        request.reserved((word >>> 8 & BYTE) != 0);
        if (request.held != LockMode.NONE) {
            access.tupleAddress(
                    access.table().address(access.node(), access.partition(), buffers.getLong(item + TUPLE_OFFSET)));
        }
        leaf.mode = LockMode.ofCode((int) (word >>> 16) & BYTE);
        if (leaf.mode != LockMode.NONE) {
            leaf.version(buffers.getLong(item + LEAF_VERSION_OFFSET));
        }
        int result = result(buffers, item);
        switch (result) {
            case FOUND -> {
                buffers.copy(imageOffset(item), buffers, access.imageOffset(), access.fetchedBytes());
                access.foundTuple();
            }
            case ABSENT -> {
                access.slotVersion(buffers.getLong(item + SLOT_VERSION_OFFSET));
                access.foundNothing();
            }
            default -> txn.abort(Refusal.reason(result, reasons));
        }
    }
}
