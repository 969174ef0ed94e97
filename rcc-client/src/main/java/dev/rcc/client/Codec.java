package dev.rcc.client;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * How a program's records are bytes. A layout is fixed: every record has the same number of bytes. Immutable, for any thread.
 *
 * @param <V> what the program calls a record
 */
public interface Codec<V> {
    /** Bytes of each record; a table's records may have more, which are zero. */
    int bytes();

    /**
     * Writes a record.
     *
     * @param target big-endian, with exactly {@link #bytes} zeros
     * @throws IllegalArgumentException when the record does not fit
     */
    void encode(V value, ByteBuffer target);

    /** Reads a record from exactly {@link #bytes} bytes, big-endian. */
    V decode(ByteBuffer source);

    /**
     * A Java record class, whose components follow each other without gaps: {@code long}, {@code int}, {@code short}, {@code byte},
     * {@code boolean}, {@code char}, {@code double}, {@code float}, and {@code String} and
     * {@code byte[]} with a {@link MaxBytes} that says how much room they get (and two bytes more, for the length).
     *
     * @throws IllegalArgumentException when a component is of another type or lacks its {@code MaxBytes}
     */
    static <R extends Record> Codec<R> ofRecord(Class<R> type) {
        return new RecordCodec<>(type);
    }

    /** Plain bytes, this many in each record. */
    static Codec<byte[]> ofBytes(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("a record has at least 1 byte, got " + bytes);
        }
        return new Codec<>() {
            @Override
            public int bytes() {
                return bytes;
            }

            @Override
            public void encode(byte[] value, ByteBuffer target) {
                if (value.length != bytes) {
                    throw new IllegalArgumentException("a record has " + bytes + " bytes, got " + value.length);
                }
                target.put(value);
            }

            @Override
            public byte[] decode(ByteBuffer source) {
                byte[] value = new byte[bytes];
                source.get(value);
                return value;
            }
        };
    }

    /** A text of at most this many bytes of UTF-8; every record has room for them, and for two bytes of length. */
    static Codec<String> ofString(int maxBytes) {
        return new StringCodec(maxBytes);
    }

    /** As many of something as there are, up to a limit; every record has room for that many, and for four bytes of count. */
    static <V> Codec<List<V>> ofList(Codec<V> element, int max) {
        return new ListCodec<>(element, max);
    }

    /** Nothing, which is null: for stored procedures without argument or result. */
    static Codec<Void> ofNothing() {
        return new Codec<>() {
            @Override
            public int bytes() {
                return 0;
            }

            @Override
            public void encode(Void value, ByteBuffer target) {}

            @Override
            public Void decode(ByteBuffer source) {
                return null;
            }
        };
    }

    /** A single 64-bit number. */
    static Codec<Long> ofLong() {
        return new Codec<>() {
            @Override
            public int bytes() {
                return Long.BYTES;
            }

            @Override
            public void encode(Long value, ByteBuffer target) {
                target.putLong(value);
            }

            @Override
            public Long decode(ByteBuffer source) {
                return source.getLong();
            }
        };
    }
}
