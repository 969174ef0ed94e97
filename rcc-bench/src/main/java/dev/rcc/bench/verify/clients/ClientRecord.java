package dev.rcc.bench.verify.clients;

import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.core.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A record, which says in the name of which commit it was written.
 *
 * <pre>
 *  0                  8            16           24
 * +------------------+------------+------------+------------+
 * | session          | slot and   | count      | key        |
 * | of the commit    | its number |            |            |
 * +------------------+------------+------------+------------+
 * </pre>
 *
 * @param writer the commit; {@link CommitId#NONE} of what was loaded
 * @param count a number
 * @param key the record's key
 */
record ClientRecord(CommitId writer, long count, long key) {
    static final int BYTES = 4 * Long.BYTES;

    private static final int LOW = Long.BYTES;
    private static final int COUNT = 2 * Long.BYTES;
    private static final int KEY = 3 * Long.BYTES;

    static ClientRecord read(Memory memory, long record) {
        return new ClientRecord(
                new CommitId(memory.getLong(record), memory.getLong(record + LOW)),
                memory.getLong(record + COUNT),
                memory.getLong(record + KEY));
    }

    static ClientRecord of(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        return new ClientRecord(
                new CommitId(buffer.getLong(0), buffer.getLong(LOW)), buffer.getLong(COUNT), buffer.getLong(KEY));
    }

    void write(Memory memory) {
        memory.putLong(0, writer.high());
        memory.putLong(LOW, writer.low());
        memory.putLong(COUNT, count);
        memory.putLong(KEY, key);
    }

    byte[] toArray() {
        return ByteBuffer.allocate(BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(writer.high())
                .putLong(writer.low())
                .putLong(count)
                .putLong(key)
                .array();
    }

    Bytes toBytes() {
        return Bytes.wrap(toArray());
    }
}
