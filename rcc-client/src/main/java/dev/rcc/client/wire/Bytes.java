package dev.rcc.client.wire;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/** An immutable run of bytes. It is equal to any other run of the same bytes; runs are ordered by their unsigned bytes. */
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
     * @param bytes any number of bytes; the caller may change the array afterwards
     */
    public static Bytes copyOf(byte... bytes) {
        return new Bytes(bytes.clone());
    }

    /**
     * {@return a run that uses the array itself, without a copy}
     *
     * @param bytes any number of bytes, which must not change from now on
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

    /** {@return the array itself, without a copy, which the caller must not change} */
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

    /** The number of bytes, and the first bytes in hexadecimal. */
    @Override
    public String toString() {
        int shown = Math.min(bytes.length, SHOWN_BYTES);
        return bytes.length + ":" + HexFormat.of().formatHex(bytes, 0, shown) + (shown < bytes.length ? "..." : "");
    }
}
