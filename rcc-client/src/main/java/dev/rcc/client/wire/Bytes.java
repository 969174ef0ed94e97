package dev.rcc.client.wire;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/** An immutable run of bytes that is equal to another one with the same bytes, and ordered by them as unsigned numbers. */
public final class Bytes implements Comparable<Bytes> {
    /** No bytes. */
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private static final int SHOWN_BYTES = 32;

    private final byte[] bytes;

    private Bytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * {@return a copy of the bytes}
     *
     * @param bytes any number of them; the caller may change them afterwards
     */
    public static Bytes copyOf(byte... bytes) {
        return new Bytes(bytes.clone());
    }

    /**
     * {@return the bytes themselves}
     *
     * @param bytes any number of them, which must not change from now on
     */
    public static Bytes wrap(byte[] bytes) {
        return new Bytes(Objects.requireNonNull(bytes, "bytes"));
    }

    /** {@return the number of bytes} */
    public int length() {
        return bytes.length;
    }

    /** {@return a copy of the bytes} */
    public byte[] toArray() {
        return bytes.clone();
    }

    /** {@return the bytes themselves, which the caller must not change} */
    public byte[] unsafeArray() {
        return bytes;
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The first bytes in hexadecimal, and how many there are. */
    @Override
    public String toString() {
        int shown = Math.min(bytes.length, SHOWN_BYTES);
        return bytes.length + ":" + HexFormat.of().formatHex(bytes, 0, shown) + (shown < bytes.length ? "..." : "");
    }
}
