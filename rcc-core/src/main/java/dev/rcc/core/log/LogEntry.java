package dev.rcc.core.log;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;

/**
 * An entry of a log: a whole transaction's write set, so that a node that finds one entry has the whole transaction.
 *
 * <pre>
 *   0        stamp: the entry's position in its ring, plus 1; written last
 *   8        63..40 check of the rest | 39..32 kind (1 transaction, 2 padding, 3 aborted)
 *            | 31..0 length in bytes, a multiple of 16
 *  16        id of the transaction's attempt
 *  24        commit timestamp: the version of all its writes
 *  32        number of changes
 *  40        checksum of everything from 16 on, without itself
 *  48        changes, each:
 *              0   63..48 table | 47..32 partition | 31..0 kind (1 update, 2 insert, 3 delete)
 *              8   offset of the tuple in its partition's region
 *             16   version in the tuple's slot before: of the record or, for an insert, of the last delete there
 *             24   version of the key's leaf before; 0 for an update
 *             32   identity: key header and padded key, as in the tuple
 *              .   record, padded to words; not for a delete
 * </pre>
 *
 * A change names the slot that it goes to and the versions that it replaces. So a backup can replay the entries of many rings in a fitting order, and
 * ends up with the same tuples in the same slots as the primary.
 *
 * An entry is contiguous. Where the ring's end is too near, a padding entry (its first two words) fills the ring up to its end. The stamp is written
 * after the rest has landed. So a stamp that fits its position means a whole entry, and an entry of the ring's previous lap never looks like a new
 * one. A new entry may have the stamp of the lap before until its own stamp is written: a stamp has a meaning only from the ring's head on. The
 * checksum guards against corruption that should never occur.
 */
public final class LogEntry {
    /** The stamp's offset. */
    public static final int STAMP_OFFSET = 0;
    /** Offset of the word with kind and length, where the body starts. */
    public static final int KIND_OFFSET = 8;
    /** All entries have a multiple of this many bytes, the size of the smallest padding. */
    public static final int ALIGNMENT = 16;

    /** A transaction. */
    public static final int TRANSACTION = 1;
    /** Padding up to the end of the ring. */
    public static final int PADDING = 2;
    /** A transaction that was aborted after it had been logged; to be skipped. */
    public static final int ABORTED = 3;

    /** The record of a key is replaced. */
    public static final int UPDATE = 1;
    /** A key and its record are added. */
    public static final int INSERT = 2;
    /** A key and its record are removed. */
    public static final int DELETE = 3;

    private static final int ID_OFFSET = 16;
    private static final int COMMIT_TS_OFFSET = 24;
    private static final int COUNT_OFFSET = 32;
    private static final int CHECKSUM_OFFSET = 40;
    private static final int CHANGES_OFFSET = 48;

    /** The smallest length of a transaction's entry, in bytes. */
    public static final int BYTES_MIN = CHANGES_OFFSET;

    private static final long CHECKSUM_FACTOR = 0x9E3779B97F4A7C15L;

    private static final int KIND_SHIFT = 32;
    private static final int KIND_MASK = 0xFF;
    private static final int CHECK_SHIFT = 40;
    private static final int TABLE_SHIFT = 48;
    private static final int PARTITION_SHIFT = 32;
    private static final int PARTITION_MASK = 0xFFFF;

    private static final int TUPLE_OFFSET = 8;
    private static final int TUPLE_VERSION_OFFSET = 16;
    private static final int LEAF_VERSION_OFFSET = 24;
    private static final int IDENTITY_OFFSET = 32;

    private LogEntry() {}

    /** The stamp of the entry at {@code position}. */
    public static long stamp(long position) {
        return position + 1;
    }

    /** The position of the entry with this stamp. */
    public static long position(long stamp) {
        return stamp - 1;
    }

    /** The word with kind and length, and with a check of both: the checksum does not cover padding and aborts. */
    public static long kindAndLength(int kind, int length) {
        long word = (long) kind << KIND_SHIFT | length;
        return word | KeyHash.mix(word) >>> CHECK_SHIFT << CHECK_SHIFT;
    }

    /** Whether the word with kind and length is one that {@link #kindAndLength} makes. */
    public static boolean isKindAndLength(long word) {
        return word == kindAndLength(kind(word), length(word));
    }

    /** The kind in a word with kind and length. */
    public static int kind(long kindAndLength) {
        return (int) (kindAndLength >>> KIND_SHIFT) & KIND_MASK;
    }

    /** The length in a word with kind and length, in bytes. */
    public static int length(long kindAndLength) {
        return (int) kindAndLength;
    }

    /** The length in bytes of the entry of {@code txn}'s writes. */
    public static int bytes(Transaction txn) {
        int bytes = CHANGES_OFFSET;
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isWrite()) {
                bytes += changeBytes(access.layout(), kindOf(access));
            }
        }
        return (bytes + (ALIGNMENT - 1)) & -ALIGNMENT;
    }

    /** Writes the entry of {@code txn}'s writes, all but the stamp, into the buffers at {@code offset}. */
    public static void encode(Transaction txn, long offset, int length) {
        Memory buffers = txn.buffer().memory();
        long end = offset + CHANGES_OFFSET;
        int count = 0;
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isWrite()) {
                end = encodeChange(access, buffers, end);
                count++;
            }
        }
        if (end < offset + length) {
            buffers.putLong(end, 0);
        }
        buffers.putLong(offset + KIND_OFFSET, kindAndLength(TRANSACTION, length));
        buffers.putLong(offset + ID_OFFSET, txn.id());
        buffers.putLong(offset + COMMIT_TS_OFFSET, txn.commitTs());
        buffers.putLong(offset + COUNT_OFFSET, count);
        buffers.putLong(offset + CHECKSUM_OFFSET, checksum(buffers, offset, length));
    }

    /** The id of the transaction's attempt. */
    public static long id(Memory memory, long offset) {
        return memory.getLong(offset + ID_OFFSET);
    }

    /** The version of the transaction's writes. */
    public static long commitTs(Memory memory, long offset) {
        return memory.getLong(offset + COMMIT_TS_OFFSET);
    }

    /** Number of changes. */
    public static int count(Memory memory, long offset) {
        return (int) memory.getLong(offset + COUNT_OFFSET);
    }

    /** Whether the checksum of the transaction entry fits its bytes. */
    public static boolean isIntact(Memory memory, long offset, int length) {
        return length >= CHANGES_OFFSET && memory.getLong(offset + CHECKSUM_OFFSET) == checksum(memory, offset, length);
    }

    /** Makes the checksum of an entry wrong: nothing in the entry counts but its kind and length. */
    public static void spoil(Memory memory, long offset) {
        memory.putLong(offset + CHECKSUM_OFFSET, ~memory.getLong(offset + CHECKSUM_OFFSET));
    }

    /** Offset of the first change. */
    public static long firstChange(long offset) {
        return offset + CHANGES_OFFSET;
    }

    /** Offset of the change after the one at {@code change}. */
    public static long nextChange(Memory memory, long change, Catalog catalog) {
        return change + changeBytes(table(memory, change, catalog).layout().tuple(), changeKind(memory, change));
    }

    /** The table of a change. */
    public static Table table(Memory memory, long change, Catalog catalog) {
        return catalog.table((int) (memory.getLong(change) >>> TABLE_SHIFT));
    }

    /** The partition of a change. */
    public static int partition(Memory memory, long change) {
        return (int) (memory.getLong(change) >>> PARTITION_SHIFT) & PARTITION_MASK;
    }

    /** The kind of a change: {@link #UPDATE}, {@link #INSERT} or {@link #DELETE}. */
    public static int changeKind(Memory memory, long change) {
        return (int) memory.getLong(change);
    }

    /** Offset of the changed tuple in its partition's region. */
    public static long tupleOffset(Memory memory, long change) {
        return memory.getLong(change + TUPLE_OFFSET);
    }

    /** The version in the tuple's slot before the change. */
    public static long tupleVersion(Memory memory, long change) {
        return memory.getLong(change + TUPLE_VERSION_OFFSET);
    }

    /** The version of the key's leaf before the change; 0 for an update, which does not touch it. */
    public static long leafVersion(Memory memory, long change) {
        return memory.getLong(change + LEAF_VERSION_OFFSET);
    }

    /** Offset of a change's identity. */
    public static long identityOffset(long change) {
        return change + IDENTITY_OFFSET;
    }

    /** Offset of the record of an update or insert. */
    public static long recordOffset(long change, TupleLayout layout) {
        return identityOffset(change) + layout.identityBytes();
    }

    private static int kindOf(Access access) {
        return switch (access.intent()) {
            case UPDATE, WRITE -> UPDATE;
            case INSERT -> INSERT;
            case DELETE -> DELETE;
            case READ -> throw new IllegalStateException("a read changes nothing");
        };
    }

    private static int changeBytes(TupleLayout layout, int kind) {
        return IDENTITY_OFFSET + layout.identityBytes() + (kind == DELETE ? 0 : layout.recordBytes());
    }

    private static long encodeChange(Access access, Memory buffers, long change) {
        TupleLayout layout = access.layout();
        int kind = kindOf(access);
        long table = (long) access.table().id() << TABLE_SHIFT;
        buffers.putLong(change, table | (long) access.partition() << PARTITION_SHIFT | kind);
        buffers.putLong(change + TUPLE_OFFSET, RemoteAddress.offset(access.tupleAddress()));
        buffers.putLong(change + TUPLE_VERSION_OFFSET, access.replacedVersion());
        buffers.putLong(change + LEAF_VERSION_OFFSET, kind == UPDATE ? 0 : access.leafVersion());
        buffers.copy(access.identityOffset(), buffers, identityOffset(change), layout.identityBytes());
        if (kind != DELETE) {
            long record = access.imageOffset() + layout.recordOffset();
            buffers.copy(record, buffers, recordOffset(change, layout), layout.recordBytes());
        }
        return change + changeBytes(layout, kind);
    }

    /**
     * A sum that covers every bit and every position, at one multiplication a word. The changes are added in four chains, which the CPU works on at
     * once.
     */
    private static long checksum(Memory memory, long offset, int length) {
        long first = length;
        for (int i = ID_OFFSET; i < CHECKSUM_OFFSET; i += Memory.WORD_BYTES) {
            first = add(first, memory.getLong(offset + i));
        }
        long second = ~first;
        long third = Long.rotateLeft(first, 16);
        long fourth = ~third;
        int i = CHANGES_OFFSET;
        for (; i + 3 * Memory.WORD_BYTES < length; i += 4 * Memory.WORD_BYTES) {
            first = add(first, memory.getLong(offset + i));
            second = add(second, memory.getLong(offset + i + Memory.WORD_BYTES));
            third = add(third, memory.getLong(offset + i + 2 * Memory.WORD_BYTES));
            fourth = add(fourth, memory.getLong(offset + i + 3 * Memory.WORD_BYTES));
        }
        for (; i < length; i += Memory.WORD_BYTES) {
            first = add(first, memory.getLong(offset + i));
        }
        return KeyHash.mix(add(add(add(first, second), third), fourth));
    }

    private static long add(long sum, long word) {
        return Long.rotateLeft((sum ^ word) * CHECKSUM_FACTOR, 29);
    }
}
