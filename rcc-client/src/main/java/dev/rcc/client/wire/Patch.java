package dev.rcc.client.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A change of a part of a record: bytes to write, if the record has certain other bytes. Immutable.
 *
 * @param expected the parts that the record must have, or nothing is written; at most {@link #PARTS_MAX}
 * @param written the parts that the record has afterwards, 1 to {@link #PARTS_MAX}; where two parts overlap, the later part counts
 */
public record Patch(List<Part> expected, List<Part> written) {
    /** Most expected parts, and most written parts. */
    public static final int PARTS_MAX = 255;

    /** Checks that the patch writes something, and does not have too many parts. */
    public Patch {
        expected = List.copyOf(expected);
        written = List.copyOf(written);
        check("parts that are expected", expected.size(), 0, PARTS_MAX);
        check("parts that are written", written.size(), 1, PARTS_MAX);
    }

    /**
     * Some of a record's bytes.
     *
     * @param offset the offset of the first byte from the record's beginning
     * @param bytes the bytes, at least one; they end within the longest record, {@link Wire#RECORD_BYTES_MAX}
     */
    public record Part(int offset, Bytes bytes) {
        /** Checks that it can be part of a record. */
        public Part {
            Objects.requireNonNull(bytes, "bytes");
            check("a part's offset", offset, 0, Wire.RECORD_BYTES_MAX - 1);
            check("the bytes of a part at " + offset, bytes.length(), 1, Wire.RECORD_BYTES_MAX - offset);
        }

        private int end() {
            return offset + bytes.length();
        }

        private boolean isIn(byte[] record) {
            return Arrays.equals(record, offset, end(), bytes.unsafeArray(), 0, bytes.length());
        }
    }

    /** What a patch has done. */
    public enum Result {
        /** The record had the expected bytes, and was written. */
        WRITTEN(1),
        /** The key has no record, and nothing was written. */
        NO_RECORD(2),
        /** The record did not have the expected bytes, and nothing was written. */
        NOT_AS_EXPECTED(3);

        private final int code;

        Result(int code) {
            this.code = code;
        }

        /** {@return the number on the wire} */
        int code() {
            return code;
        }
    }

    /**
     * {@return a patch that writes these bytes, whatever the record has}
     *
     * @param offset the offset of the first byte from the record's beginning
     * @param bytes the bytes to write, at least one
     * @throws IllegalArgumentException when no record has room for the bytes, or there are none
     */
    public static Patch write(int offset, byte... bytes) {
        return new Patch(List.of(), List.of(new Part(offset, Bytes.copyOf(bytes))));
    }

    /**
     * {@return a patch that also writes these bytes}
     *
     * @param offset the offset of the first byte from the record's beginning
     * @param bytes the bytes to write, at least one
     * @throws IllegalArgumentException when no record has room for the bytes, there are none, or the patch writes {@link #PARTS_MAX} parts already
     */
    public Patch andWrite(int offset, byte... bytes) {
        return new Patch(expected, with(written, offset, bytes));
    }

    /**
     * {@return a patch that writes nothing unless the record also has these bytes}
     *
     * @param offset the offset of the first byte from the record's beginning
     * @param bytes the expected bytes, at least one
     * @throws IllegalArgumentException when no record has room for the bytes, there are none, or the patch expects {@link #PARTS_MAX} parts already
     */
    public Patch ifThere(int offset, byte... bytes) {
        return new Patch(with(expected, offset, bytes), written);
    }

    private static List<Part> with(List<Part> parts, int offset, byte[] bytes) {
        List<Part> more = new ArrayList<>(parts);
        more.add(new Part(offset, Bytes.copyOf(bytes)));
        return more;
    }

    /** {@return the end of the patch's last part, in bytes from the record's beginning; the record must not be shorter} */
    public int end() {
        int end = 0;
        for (Part part : expected) {
            end = Math.max(end, part.end());
        }
        for (Part part : written) {
            end = Math.max(end, part.end());
        }
        return end;
    }

    /**
     * Writes the patch to a record, if the record has the expected bytes.
     *
     * @param record a whole record, of at least {@link #end} bytes; unchanged if it does not have the expected bytes
     * @return whether the record had the expected bytes
     */
    public boolean applyTo(byte[] record) {
        for (Part part : expected) {
            if (!part.isIn(record)) {
                return false;
            }
        }
        for (Part part : written) {
            System.arraycopy(
                    part.bytes().unsafeArray(),
                    0,
                    record,
                    part.offset(),
                    part.bytes().length());
        }
        return true;
    }

    private static void check(String what, int given, int min, int max) {
        if (given < min || given > max) {
            throw new IllegalArgumentException(what + " must be " + min + " to " + max + ", got " + given);
        }
    }
}
