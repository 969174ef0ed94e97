package dev.rcc.bench.workload.tpcc;

import dev.rcc.client.Codec;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A record of any table as clients use it: bytes, with fields at the offsets of the table's layout. For one thread. */
final class TpccRecord {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;

    /** A record of zeros. */
    TpccRecord(int bytes) {
        this.bytes = new byte[bytes];
    }

    /** The codec of records of this size. */
    static Codec<TpccRecord> codec(int bytes) {
        return new Codec<>() {
            @Override
            public int bytes() {
                return bytes;
            }

            @Override
            public void encode(TpccRecord record, ByteBuffer target) {
                target.put(record.bytes);
            }

            @Override
            public TpccRecord decode(ByteBuffer source) {
                TpccRecord record = new TpccRecord(bytes);
                source.get(record.bytes);
                return record;
            }
        };
    }

    long getLong(int offset) {
        return (long) WORD.get(bytes, offset);
    }

    TpccRecord putLong(int offset, long value) {
        WORD.set(bytes, offset, value);
        return this;
    }

    TpccRecord add(int offset, long value) {
        return putLong(offset, getLong(offset) + value);
    }

    byte[] getBytes(int offset, int count) {
        byte[] target = new byte[count];
        System.arraycopy(bytes, offset, target, 0, count);
        return target;
    }

    TpccRecord putBytes(int offset, byte[] source) {
        System.arraycopy(source, 0, bytes, offset, source.length);
        return this;
    }
}
