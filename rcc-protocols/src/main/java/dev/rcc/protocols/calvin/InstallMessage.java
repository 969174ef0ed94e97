package dev.rcc.protocols.calvin;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;

/**
 * By RPC, what the coordinator forwards to the active participants when it is done: its writes. The request's header word
 * is the submission's id, which is told as finished after all items were carried out; there may be none. The reply is
 * empty.
 *
 * <pre>
 *   0   63..32 region | 31..0 what to do: 1 update, 2 insert, 3 delete, 4 free a reserved slot
 *   8   offset of the tuple in the region
 *  16   hash of the key
 *  24   update: value. Insert: identity and value. Delete: the new version
 * </pre>
 */
final class InstallMessage {
    /** Bytes of an item that frees a slot. */
    static final int FREE_BYTES = 24;

    private static final int UPDATE = 1;
    private static final int INSERT = 2;
    private static final int DELETE = 3;
    private static final int FREE = 4;

    private static final int OFFSET_OFFSET = 8;
    private static final int HASH_OFFSET = 16;
    private static final int CONTENT_OFFSET = 24;

    private InstallMessage() {}

    // ---- composing -------------------------------------------------------------------------------------------------

    static int bytes(Access access) {
        return bytes(action(access), access.layout());
    }

    /** Writes the item of a write, whose image has its new version. */
    static void encode(Memory buffers, long item, Access access, long commitTs) {
        TupleLayout t = access.layout();
        long value = access.imageOffset() + t.versionOffset();
        long content = item + CONTENT_OFFSET;
        int action = action(access);
        header(buffers, item, action, access.tupleAddress(), access.keyHash());
        switch (action) {
            case UPDATE -> buffers.copy(value, buffers, content, t.valueBytes());
            case INSERT -> {
                buffers.copy(access.identityOffset(), buffers, content, t.identityBytes());
                buffers.copy(value, buffers, content + t.identityBytes(), t.valueBytes());
            }
            default -> buffers.putLong(content, commitTs);
        }
    }

    /** Writes an item that frees a slot. */
    static void encodeFree(Memory buffers, long item, Table table, int partition, long tuple, long keyHash) {
        header(buffers, item, FREE, RemoteAddress.of(0, table.region(partition), tuple), keyHash);
    }

    private static int action(Access access) {
        return switch (access.intent()) {
            case UPDATE, WRITE -> UPDATE;
            case INSERT -> INSERT;
            case DELETE -> DELETE;
            case READ -> throw new IllegalStateException("a read installs nothing");
        };
    }

    private static void header(Memory buffers, long item, int action, long address, long keyHash) {
        buffers.putLong(item, (long) RemoteAddress.region(address) << 32 | action);
        buffers.putLong(item + OFFSET_OFFSET, RemoteAddress.offset(address));
        buffers.putLong(item + HASH_OFFSET, keyHash);
    }

    private static int bytes(int action, TupleLayout layout) {
        return switch (action) {
            case UPDATE -> CONTENT_OFFSET + layout.valueBytes();
            case INSERT -> CONTENT_OFFSET + layout.identityBytes() + layout.valueBytes();
            case DELETE -> CONTENT_OFFSET + Memory.WORD_BYTES;
            default -> FREE_BYTES;
        };
    }

    // ---- carrying out ----------------------------------------------------------------------------------------------

    /** Carries out an item in the node's primary copy, under the transaction's locks, and returns its length in bytes. */
    static int carryOut(Memory payload, long item, Memstore memstore) {
        TablePartition partition = memstore.partitionOfRegion((int) (payload.getLong(item) >>> 32));
        int action = (int) payload.getLong(item);
        long offset = payload.getLong(item + OFFSET_OFFSET);
        long keyHash = payload.getLong(item + HASH_OFFSET);
        long content = item + CONTENT_OFFSET;
        Memory memory = partition.memory();
        TableLayout layout = partition.table().layout();
        TupleLayout t = layout.tuple();
        long entry = layout.entryOfTuple(offset);
        long leafVersion = layout.leafOffset(keyHash) + layout.leafVersionOffset();
        switch (action) {
            case UPDATE -> payload.copy(content, memory, offset + t.versionOffset(), t.valueBytes());
            case INSERT -> {
                payload.copy(content, memory, offset + t.identityOffset(), t.identityBytes() + t.valueBytes());
                memory.putLong(leafVersion, payload.getLong(content + t.identityBytes()));
                partition.publish(entry, keyHash);
            }
            case DELETE -> {
                long version = payload.getLong(content);
                partition.clearIdentity(offset);
                memory.putLong(offset + t.versionOffset(), version);
                memory.putLong(leafVersion, version);
                partition.clear(entry); // last: the slot is free for others from here on
            }
            default -> partition.clear(entry);
        }
        return bytes(action, t);
    }
}
