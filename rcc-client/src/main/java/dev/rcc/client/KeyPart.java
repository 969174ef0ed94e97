package dev.rcc.client;

import dev.rcc.client.wire.Utf8;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Converts a part of a {@link CompositeKey} to bytes, whose unsigned order is the order of the parts. Numbers are big-endian with the sign bit
 * inverted. A text or bytes end with two zeros, and a zero within them is followed by FF. So a shorter value comes before the longer values
 * that begin with it, whatever part is next. {@code dev.rcc.core.store.KeyParts} has the same rule for engine procedures.
 */
enum KeyPart {
    LONG(Long.class) {
        @Override
        void write(Object part, ByteArrayOutputStream key) {
            key.writeBytes(ByteBuffer.allocate(Long.BYTES)
                    .putLong((Long) part ^ Long.MIN_VALUE)
                    .array());
        }

        @Override
        Object read(ByteBuffer key) {
            return key.getLong() ^ Long.MIN_VALUE;
        }
    },
    INTEGER(Integer.class) {
        @Override
        void write(Object part, ByteArrayOutputStream key) {
            key.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                    .putInt((Integer) part ^ Integer.MIN_VALUE)
                    .array());
        }

        @Override
        Object read(ByteBuffer key) {
            return key.getInt() ^ Integer.MIN_VALUE;
        }
    },
    STRING(String.class) {
        @Override
        void write(Object part, ByteArrayOutputStream key) {
            writeEnded(Utf8.bytes("a text", (String) part), key);
        }

        @Override
        Object read(ByteBuffer key) {
            return new String(readEnded(key), StandardCharsets.UTF_8);
        }
    },
    BYTES(byte[].class) {
        @Override
        void write(Object part, ByteArrayOutputStream key) {
            writeEnded((byte[]) part, key);
        }

        @Override
        Object read(ByteBuffer key) {
            return readEnded(key);
        }
    };

    private static final int END = 0;
    private static final int ZERO = 0xFF;

    private final Class<?> type;

    KeyPart(Class<?> type) {
        this.type = type;
    }

    /** The type of such a part in Java. */
    final Class<?> type() {
        return type;
    }

    /**
     * Appends a part, which is an instance of {@link #type}.
     *
     * @throws IllegalArgumentException when the part is a text that has no bytes of its own
     */
    abstract void write(Object part, ByteArrayOutputStream key);

    /**
     * Reads a part.
     *
     * @throws java.nio.BufferUnderflowException when the bytes end before the part does
     */
    abstract Object read(ByteBuffer key);

    private static void writeEnded(byte[] part, ByteArrayOutputStream key) {
        for (byte each : part) {
            key.write(each);
            if (each == 0) {
                key.write(ZERO);
            }
        }
        key.write(0);
        key.write(END);
    }

    private static byte[] readEnded(ByteBuffer key) {
        ByteArrayOutputStream part = new ByteArrayOutputStream();
        while (true) {
            byte each = key.get();
            if (each == 0 && key.get() == END) {
                return part.toByteArray();
            }
            part.write(each);
        }
    }
}
