package dev.rcc.protocols.optimistic;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.protocols.common.KeyItem;

/**
 * The items of a fetch RPC, and of an RPC that also locks the tuples that it finds. The request's items are {@link KeyItem}s, and its header word is
 * the attempt's id; the reply has an item for each of the request's, and their number in its first word.
 *
 * <pre>
 *  request item                             reply item
 *   0  63..32 partition | 31..16 table       0  result
 *      | 15..0 intent
 *   8  hash of the key                       8  offset of the tuple in its region
 *  16  identity                             16  version of the leaf, if there is no tuple
 *                                           24  tuple, of a blind write the bytes before the
 *                                               record; or the leaf's metadata
 * </pre>
 */
final class FetchMessage {
    /** The key has a tuple, which is returned. */
    static final int FOUND = 1;
    /** The key has no tuple. */
    static final int ABSENT = 2;
    /** A transaction was writing at each lookup. */
    static final int BUSY = 3;
    /** The tuple was to be locked and is locked already: the image's first two words are its lock word and the word behind that. */
    static final int TAKEN = 4;

    private static final int TUPLE_OFFSET = 8;
    private static final int LEAF_VERSION_OFFSET = 16;
    private static final int IMAGE_OFFSET = 24;

    private FetchMessage() {}

    static int replyBytes(TupleLayout layout, Intent intent) {
        return IMAGE_OFFSET + Access.fetchedBytes(layout, intent);
    }

    // ---- the request -----------------------------------------------------------------------------------------------

    static void encode(Memory buffers, long item, Access access) {
        KeyItem.encode(buffers, item, access, access.intent().code());
    }

    static Intent intent(Memory memory, long item) {
        return Intent.ofCode(KeyItem.own(memory, item));
    }

    // ---- the reply -------------------------------------------------------------------------------------------------

    static void encodeReply(Memory memory, long item, int result, long tuple, long leafVersion) {
        memory.putLong(item, result);
        memory.putLong(item + TUPLE_OFFSET, tuple);
        memory.putLong(item + LEAF_VERSION_OFFSET, leafVersion);
    }

    static int result(Memory memory, long item) {
        return (int) memory.getLong(item);
    }

    /** Gives an access the tuple that a participant has found: its address, and its bytes as the image. */
    static void takeFound(Memory memory, long item, Access access) {
        memory.copy(imageOffset(item), memory, access.imageOffset(), access.fetchedBytes());
        long tuple = memory.getLong(item + TUPLE_OFFSET);
        access.tupleAddress(access.table().address(access.node(), access.partition(), tuple));
    }

    static long leafVersion(Memory memory, long item) {
        return memory.getLong(item + LEAF_VERSION_OFFSET);
    }

    static long imageOffset(long item) {
        return item + IMAGE_OFFSET;
    }
}
