package dev.rcc.protocols.common;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;

/**
 * An item of a request that names a record by its key, for the participant to look up.
 *
 * <pre>
 *   0  63..32 partition | 31..16 table | 15..0 the message's own
 *   8  hash of the key
 *  16  identity
 * </pre>
 */
public final class KeyItem {
    private static final int HASH_OFFSET = 8;
    private static final int IDENTITY_OFFSET = 16;

    private static final int PARTITION_SHIFT = 32;
    private static final int TABLE_SHIFT = 16;
    private static final int SHORT = 0xFFFF;

    private KeyItem() {}

    /** The length of an item, in bytes. */
    public static int bytes(TupleLayout layout) {
        return IDENTITY_OFFSET + layout.identityBytes();
    }

    /** Writes the item of an access, with the message's own bits, 0 to 0xFFFF. */
    public static void encode(Memory buffers, long item, Access access, int own) {
        buffers.putLong(
                item,
                (long) access.partition() << PARTITION_SHIFT
                        | (long) access.table().id() << TABLE_SHIFT
                        | own);
        buffers.putLong(item + HASH_OFFSET, access.keyHash());
        buffers.copy(
                access.identityOffset(),
                buffers,
                identityOffset(item),
                access.layout().identityBytes());
    }

    /** The message's own bits. */
    public static int own(Memory memory, long item) {
        return (int) memory.getLong(item) & SHORT;
    }

    /** The table's id. */
    public static int table(Memory memory, long item) {
        return (int) (memory.getLong(item) >>> TABLE_SHIFT) & SHORT;
    }

    /** The number of the key's partition. */
    public static int partition(Memory memory, long item) {
        return (int) (memory.getLong(item) >>> PARTITION_SHIFT);
    }

    /** This node's part of the table that has the key. */
    public static TablePartition partition(Memstore memstore, Memory memory, long item) {
        return memstore.partition(table(memory, item), partition(memory, item));
    }

    /** The hash of the key. */
    public static long keyHash(Memory memory, long item) {
        return memory.getLong(item + HASH_OFFSET);
    }

    /** Where the key's identity is. */
    public static long identityOffset(long item) {
        return item + IDENTITY_OFFSET;
    }
}
