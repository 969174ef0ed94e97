package dev.rcc.core.store;

import java.util.Arrays;

/**
 * Byte-string keys of several parts, which order by the parts: composite keys, in the client library. A procedure writes the parts one after the
 * other into an array that it keeps; nothing is allocated. Numbers are big-endian with the sign bit inverted. Bytes end with two zeros, and a zero
 * within them is followed by FF, so that a part that ends comes before a part that goes on, whatever part is next.
 */
public final class KeyParts {
    private static final byte END = 0;
    private static final byte ZERO = (byte) 0xFF;
    private static final int END_BYTES = 2;

    private KeyParts() {}

    /**
     * Writes a number of 8 bytes.
     *
     * @param at the part's offset in the key
     * @return the offset of the next part
     */
    public static int putLong(byte[] key, int at, long part) {
        return put(key, at, part ^ Long.MIN_VALUE, Long.BYTES);
    }

    /** Writes a number of 4 bytes, as {@link #putLong}. */
    public static int putInteger(byte[] key, int at, int part) {
        return put(key, at, part ^ Integer.MIN_VALUE, Integer.BYTES);
    }

    private static int put(byte[] key, int at, long bits, int bytes) {
        for (int i = 0; i < bytes; i++) {
            key[at + i] = (byte) (bits >>> ((bytes - 1 - i) * Byte.SIZE));
        }
        return at + bytes;
    }

    /**
     * Writes bytes, any number of them, which take {@link #bytes} bytes.
     *
     * @param at the part's offset in the key
     * @return the offset of the next part
     */
    public static int putBytes(byte[] key, int at, byte[] part) {
        int next = at;
        for (byte each : part) {
            key[next++] = each;
            if (each == 0) {
                key[next++] = ZERO;
            }
        }
        key[next++] = 0;
        key[next++] = END;
        return next;
    }

    /** The number of bytes that {@code part} takes in a key. */
    public static int bytes(byte[] part) {
        int zeros = 0;
        for (byte each : part) {
            zeros += each == 0 ? 1 : 0;
        }
        return part.length + zeros + END_BYTES;
    }

    /** Reads a number of 8 bytes. */
    public static long getLong(byte[] key, int at) {
        return get(key, at, Long.BYTES) ^ Long.MIN_VALUE;
    }

    /** Reads a number of 4 bytes. */
    public static int getInteger(byte[] key, int at) {
        return (int) get(key, at, Integer.BYTES) ^ Integer.MIN_VALUE;
    }

    private static long get(byte[] key, int at, int bytes) {
        long bits = 0;
        for (int i = 0; i < bytes; i++) {
            bits = (bits << Byte.SIZE) | Byte.toUnsignedLong(key[at + i]);
        }
        return bits;
    }

    /**
     * Reads bytes. Allocates them.
     *
     * @throws IllegalArgumentException when they do not end
     */
    public static byte[] getBytes(byte[] key, int at) {
        byte[] part = new byte[key.length - at];
        int length = 0;
        for (int i = at; i + 1 < key.length; i++) {
            byte each = key[i];
            if (each == 0 && key[++i] == END) {
                return Arrays.copyOf(part, length);
            }
            part[length++] = each;
        }
        throw new IllegalArgumentException(
                "the part at " + at + " does not end within the key's " + key.length + " bytes");
    }
}
