package dev.rcc.transport.verbs.ibv;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Native structs by their address. Only alignment is checked: the caller got the address from the library, and the
 * offset from a layout. Only {@link #segment} and {@link #string} allocate.
 */
@SuppressWarnings("restricted") // this class exists for native access; the launcher allows it
public final class Raw {
    private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private Raw() {}

    /** Reads 8 bytes, which may be a pointer. */
    public static long getLong(long address, int offset) {
        return EVERYTHING.get(ValueLayout.JAVA_LONG, address + offset);
    }

    /** Writes 8 bytes. */
    public static void putLong(long address, int offset, long value) {
        EVERYTHING.set(ValueLayout.JAVA_LONG, address + offset, value);
    }

    /** Reads 4 bytes. */
    public static int getInt(long address, int offset) {
        return EVERYTHING.get(ValueLayout.JAVA_INT, address + offset);
    }

    /** Writes 4 bytes. */
    public static void putInt(long address, int offset, int value) {
        EVERYTHING.set(ValueLayout.JAVA_INT, address + offset, value);
    }

    /** Reads 2 bytes, unsigned. */
    public static int getShort(long address, int offset) {
        return Short.toUnsignedInt(EVERYTHING.get(ValueLayout.JAVA_SHORT, address + offset));
    }

    /** Writes the low 2 bytes of {@code value}. */
    public static void putShort(long address, int offset, int value) {
        EVERYTHING.set(ValueLayout.JAVA_SHORT, address + offset, (short) value);
    }

    /** Reads a byte, unsigned. */
    public static int getByte(long address, int offset) {
        return Byte.toUnsignedInt(EVERYTHING.get(ValueLayout.JAVA_BYTE, address + offset));
    }

    /** Writes the low byte of {@code value}. */
    public static void putByte(long address, int offset, int value) {
        EVERYTHING.set(ValueLayout.JAVA_BYTE, address + offset, (byte) value);
    }

    /** The bytes at an address; valid as long as their owner keeps them. */
    public static MemorySegment segment(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /** A text that ends with a zero byte, or after {@code bytesMax}. */
    public static String string(long address, int bytesMax) {
        byte[] bytes = new byte[bytesMax];
        int length = 0;
        while (length < bytesMax && getByte(address, length) != 0) {
            bytes[length] = (byte) getByte(address, length);
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
