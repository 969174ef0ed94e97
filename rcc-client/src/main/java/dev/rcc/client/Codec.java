package dev.rcc.client;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Converts a program's records to bytes and back. The layout is fixed: every record has the same number of bytes. Immutable, for any thread.
 *
 * @param <V> the type of the program's records
 */
public interface Codec<V> {
    /** {@return the number of bytes of each record, always the same} A table's records may be longer; the rest is zero. */
    int bytes();

    /**
     * Writes a record.
     *
     * @param value the record
     * @param target receives the bytes: big-endian, with exactly {@link #bytes} zeros
     * @throws IllegalArgumentException when the record does not fit
     */
    void encode(V value, ByteBuffer target);

    /**
     * Reads a record.
     *
     * @param source exactly {@link #bytes} bytes, big-endian, as {@link #encode} wrote them
     * @return the record
     */
    V decode(ByteBuffer source);

    /**
     * {@return a codec for a Java record class} Its components follow each other without gaps: {@code long}, {@code int}, {@code short},
     * {@code byte}, {@code boolean}, {@code char}, {@code double}, {@code float}, and {@code String} and {@code byte[]} with a
     * {@link MaxBytes}, which sets their room; they take two bytes more, for the length. No component may be null.
     *
     * @param <R> the record class
     * @param type the record class; in a named module it must be public and exported, or its package open
     * @throws IllegalArgumentException when a component is of another type or lacks its {@code MaxBytes}, or the class is not accessible
     */
    static <R extends Record> Codec<R> ofRecord(Class<R> type) {
        return new RecordCodec<>(type);
    }

    /**
     * {@return a codec for plain bytes, the same number in each record}
     *
     * @param bytes the number of bytes, at least 1; a record with more or fewer is refused
     * @throws IllegalArgumentException when the number is less than 1
     */
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

    /**
     * {@return a codec for texts of whole characters} Every record has room for the longest text, in UTF-8, and for two bytes of length.
     *
     * @param maxBytes the bytes of the longest text, 1 to 65535; a longer text is refused
     * @throws IllegalArgumentException when {@code maxBytes} is out of this range
     */
    static Codec<String> ofString(int maxBytes) {
        return new StringCodec(maxBytes);
    }

    /**
     * {@return a codec for lists} Every record has room for the longest list, and for four bytes of count.
     *
     * @param <V> the type of the list's elements
     * @param element the codec of an element
     * @param max the most elements, at least 1; a longer list is refused
     * @throws IllegalArgumentException when {@code max} is less than 1, or a record would have 2 GiB or more
     */
    static <V> Codec<List<V>> ofList(Codec<V> element, int max) {
        return new ListCodec<>(element, max);
    }

    /** {@return a codec for null, which has no bytes} For stored procedures without argument or result. */
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

    /** {@return a codec for single 64-bit numbers} */
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
