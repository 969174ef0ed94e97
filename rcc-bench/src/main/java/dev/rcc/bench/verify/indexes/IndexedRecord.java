package dev.rcc.bench.verify.indexes;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.txn.Access;

/**
 * A record whose contents show whether it is whole, and which key it belongs to.
 *
 * <pre>
 *  0        8        16       24
 * +--------+--------+--------+
 * | group  | name   | hash of both and the key
 * +--------+--------+--------+
 * </pre>
 */
final class IndexedRecord {
    static final int GROUP = 0;
    static final int NAME = 8;
    static final int BYTES = 24;

    private static final int HASH = 16;

    private IndexedRecord() {}

    static void write(Memory record, long key, long group, long name) {
        record.putLong(GROUP, group);
        record.putLong(NAME, name);
        record.putLong(HASH, hash(key, group, name));
    }

    static void write(Access access, long group, long name) {
        access.putLong(GROUP, group);
        access.putLong(NAME, name);
        access.putLong(HASH, hash(access.longKey(), group, name));
    }

    static boolean isWhole(Access access) {
        return access.getLong(HASH) == hash(access.longKey(), access.getLong(GROUP), access.getLong(NAME));
    }

    static boolean isWhole(Memory memory, long record, long key) {
        return memory.getLong(record + HASH)
                == hash(key, memory.getLong(record + GROUP), memory.getLong(record + NAME));
    }

    private static long hash(long key, long group, long name) {
        return KeyHash.mix(KeyHash.mix(KeyHash.mix(key + 1) + group) + name);
    }
}
