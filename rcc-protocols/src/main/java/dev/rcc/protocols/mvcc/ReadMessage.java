package dev.rcc.protocols.mvcc;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.protocols.common.Refusal;

/**
 * The items of a read RPC. The request's header word is the attempt's id; the reply has an item for each of the request's,
 * and their number in its first word. A result that is not listed here is a {@link Refusal}.
 *
 * <pre>
 *  request item                             reply item
 *   0  63..32 partition | 31..0 table        0  result
 *   8  hash of the key                       8  offset of the tuple in its region
 *  16  intent                               16  version: of the record or, if the key has none, of the leaf
 *  24  identity                             24  latest timestamp met
 *                                           32  record, unless for a blind write
 * </pre>
 */
final class ReadMessage {
    /** The key has a record, which is returned. */
    static final int FOUND = 1;
    /** The key has no record. */
    static final int ABSENT = 2;
    /** An earlier writer has not finished. */
    static final int PENDING = 3;
    /** Other transactions kept coming in between. */
    static final int BUSY = 4;

    private static final int HASH_OFFSET = 8;
    private static final int INTENT_OFFSET = 16;
    private static final int IDENTITY_OFFSET = 24;
    private static final int TUPLE_OFFSET = 8;
    private static final int VERSION_OFFSET = 16;
    private static final int LATEST_OFFSET = 24;
    private static final int RECORD_OFFSET = 32;

    private ReadMessage() {}

    static int requestBytes(TupleLayout layout) {
        return IDENTITY_OFFSET + layout.identityBytes();
    }

    static int replyBytes(TupleLayout layout, Intent intent) {
        return RECORD_OFFSET + (intent == Intent.WRITE ? 0 : layout.recordBytes());
    }

    // ---- the request -----------------------------------------------------------------------------------------------

    static void encode(Memory buffers, long item, Access access) {
        buffers.putLong(item, (long) access.partition() << 32 | access.table().id());
        buffers.putLong(item + HASH_OFFSET, access.keyHash());
        buffers.putLong(item + INTENT_OFFSET, access.declaredIntent().code());
        buffers.copy(
                access.identityOffset(),
                buffers,
                identityOffset(item),
                access.layout().identityBytes());
    }

    static int table(Memory memory, long item) {
        return (int) memory.getLong(item);
    }

    static int partition(Memory memory, long item) {
        return (int) (memory.getLong(item) >>> 32);
    }

    static long keyHash(Memory memory, long item) {
        return memory.getLong(item + HASH_OFFSET);
    }

    static Intent intent(Memory memory, long item) {
        return Intent.ofCode((int) memory.getLong(item + INTENT_OFFSET));
    }

    static long identityOffset(long item) {
        return item + IDENTITY_OFFSET;
    }

    // ---- the reply -------------------------------------------------------------------------------------------------

    static void encodeReply(Memory memory, long item, int result, long tuple, long version, long latest) {
        memory.putLong(item, result);
        memory.putLong(item + TUPLE_OFFSET, tuple);
        memory.putLong(item + VERSION_OFFSET, version);
        memory.putLong(item + LATEST_OFFSET, latest);
    }

    static int result(Memory memory, long item) {
        return (int) memory.getLong(item);
    }

    static long tupleOffset(Memory memory, long item) {
        return memory.getLong(item + TUPLE_OFFSET);
    }

    static long version(Memory memory, long item) {
        return memory.getLong(item + VERSION_OFFSET);
    }

    static long latest(Memory memory, long item) {
        return memory.getLong(item + LATEST_OFFSET);
    }

    static long recordOffset(long item) {
        return item + RECORD_OFFSET;
    }
}
