package dev.rcc.client.ycsb;

import dev.rcc.client.Codec;
import dev.rcc.client.wire.Utf8;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Converts named fields to a record and back. The fields follow each other, until a name of length 0 or the record's end.
 *
 * <pre>
 *  0        1               n+1        n+3              n+3+length
 * +--------+---------------+----------+----------------+- - - - - -
 * | n  u8  | name, UTF-8   | u16      | value          | the next
 * +--------+---------------+----------+----------------+- - - - - -
 * </pre>
 *
 * <p>Records describe themselves, so that clients with different numbers and lengths of fields can read each other's records.
 */
final class FieldsCodec implements Codec<Map<String, byte[]>> {
    private static final int NAME_BYTES_MAX = 0xFF;
    private static final int VALUE_BYTES_MAX = 0xFFFF;

    private final int recordBytes;

    FieldsCodec(int recordBytes) {
        this.recordBytes = recordBytes;
    }

    @Override
    public int bytes() {
        return recordBytes;
    }

    @Override
    public void encode(Map<String, byte[]> fields, ByteBuffer target) {
        try {
            fields.forEach(
                    (field, value) -> target.put(header(field, value.length)).put(value));
        } catch (BufferOverflowException e) {
            throw new IllegalArgumentException(
                    "the fields take " + bytesOf(fields) + " bytes, the table's records have " + recordBytes
                            + ": declare the table with longer records",
                    e);
        }
    }

    /**
     * {@return the bytes before a field's value: its name and the value's length}
     *
     * @param field the field's name
     * @param valueBytes the value's length, in bytes
     */
    static byte[] header(String field, int valueBytes) {
        byte[] name = Utf8.bytes("a field's name", field);
        check("a field's name", name.length, 1, NAME_BYTES_MAX);
        check("field " + field, valueBytes, 0, VALUE_BYTES_MAX);
        byte[] header = new byte[1 + name.length + Short.BYTES];
        ByteBuffer.wrap(header).put((byte) name.length).put(name).putShort((short) valueBytes);
        return header;
    }

    private static void check(String what, int bytes, int min, int max) {
        if (bytes < min || bytes > max) {
            throw new IllegalArgumentException(what + " has " + min + " to " + max + " bytes, got " + bytes);
        }
    }

    private static int bytesOf(Map<String, byte[]> fields) {
        return fields.entrySet().stream()
                .mapToInt(field -> 3 + field.getKey().getBytes(StandardCharsets.UTF_8).length + field.getValue().length)
                .sum();
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException when the record's bytes are not fields
     */
    @Override
    public Map<String, byte[]> decode(ByteBuffer source) {
        Map<String, byte[]> fields = new LinkedHashMap<>();
        while (source.hasRemaining()) {
            int nameBytes = Byte.toUnsignedInt(source.get());
            if (nameBytes == 0) {
                break;
            }
            String name = new String(take(source, nameBytes), StandardCharsets.UTF_8);
            fields.put(name, take(source, Short.toUnsignedInt(take(source).getShort())));
        }
        return fields;
    }

    private static ByteBuffer take(ByteBuffer source) {
        if (source.remaining() < Short.BYTES) {
            throw new IllegalArgumentException("the record was not written by this binding: a field does not end");
        }
        return source;
    }

    private static byte[] take(ByteBuffer source, int bytes) {
        if (bytes > source.remaining()) {
            throw new IllegalArgumentException("the record was not written by this binding: a field does not end");
        }
        byte[] taken = new byte[bytes];
        source.get(taken);
        return taken;
    }
}
