package dev.rcc.bench.verify.clients;

import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Patch;
import dev.rcc.core.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A record, which names the commit that wrote it.
 *
 * <pre>
 *  0                  8            16           24
 * +------------------+------------+------------+------------+
 * | session          | slot and   | count      | key        |
 * | of the commit    | its number |            |            |
 * +------------------+------------+------------+------------+
 * </pre>
 *
 * @param writer the commit; {@link CommitId#NONE} for a loaded record
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

    /** The record under a key that has been patched by {@link #toPatch}. */
    static ClientRecord of(Patch patch, long key) {
        byte[] bytes = new byte[BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putLong(KEY, key);
        patch.applyTo(bytes);
        return of(bytes);
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

    /** A patch that turns another record under this key into this record: it writes all fields but the key. */
    Patch toPatch() {
        byte[] bytes = toArray();
        return Patch.write(0, Arrays.copyOf(bytes, COUNT))
                .andWrite(COUNT, Arrays.copyOfRange(bytes, COUNT, KEY))
                .ifThere(KEY, Arrays.copyOfRange(bytes, KEY, BYTES));
    }

    Bytes toBytes() {
        return Bytes.wrap(toArray());
    }
}
