package dev.rcc.bench.workload.churn;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.txn.Access;

/**
 * A record that shows by itself whether it is whole, and to which key it belongs.
 *
 * <pre>
 *  0        8                                     64
 * +--------+-------------------------------------+
 * | tag    | hashes of tag, key, table and offset|
 * +--------+-------------------------------------+
 * </pre>
 *
 * The tag belongs to the attempt that wrote it; the tag of a loaded record is 1.
 */
final class ChurnRecord {
    static final int BYTES = 64;
    static final long LOADED_TAG = 1;

    private ChurnRecord() {}

    static long tag(Access access) {
        return access.getLong(0);
    }

    static long tag(Memory memory, long record) {
        return memory.getLong(record);
    }

    static void write(Access access, long key, long tag) {
        access.putLong(0, tag);
        for (int offset = Long.BYTES; offset < BYTES; offset += Long.BYTES) {
            access.putLong(offset, word(access.table().id(), key, tag, offset));
        }
    }

    static void write(Memory memory, long record, int table, long key, long tag) {
        memory.putLong(record, tag);
        for (int offset = Long.BYTES; offset < BYTES; offset += Long.BYTES) {
            memory.putLong(record + offset, word(table, key, tag, offset));
        }
    }

    static boolean isWhole(Access access, long key) {
        long tag = access.getLong(0);
        for (int offset = Long.BYTES; offset < BYTES; offset += Long.BYTES) {
            if (access.getLong(offset) != word(access.table().id(), key, tag, offset)) {
                return false;
            }
        }
        return true;
    }

    static boolean isWhole(Memory memory, long record, int table, long key) {
        long tag = memory.getLong(record);
        for (int offset = Long.BYTES; offset < BYTES; offset += Long.BYTES) {
            if (memory.getLong(record + offset) != word(table, key, tag, offset)) {
                return false;
            }
        }
        return true;
    }

    private static long word(int table, long key, long tag, int offset) {
        return KeyHash.mix(tag + KeyHash.mix(key * BYTES + offset) + table);
    }
}
