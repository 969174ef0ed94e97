package dev.rcc.client.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * What becomes of a part of a record: bytes that are to be written, on condition that others are there. Immutable.
 *
 * @param expected parts that the record must have, or nothing is written; at most {@link #PARTS_MAX}
 * @param written parts that it has afterwards, 1 to {@link #PARTS_MAX}; where two of them overlap, the later one counts
 */
public record Patch(List<Part> expected, List<Part> written) {
    /** Most parts that are expected, and most that are written. */
    public static final int PARTS_MAX = 255;

    /** Checks that something is written, and not too many parts. */
    public Patch {
        expected = List.copyOf(expected);
        written = List.copyOf(written);
        check("parts that are expected", expected.size(), 0, PARTS_MAX);
        check("parts that are written", written.size(), 1, PARTS_MAX);
    }

    /**
     * Some of a record's bytes.
     *
     * @param offset of the first one from the record's beginning, in bytes
     * @param bytes what they are, at least one; they end within the longest record, {@link Wire#RECORD_BYTES_MAX}
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

    /** What has become of a record. */
    public enum Result {
        /** It had what was expected, and was written. */
        WRITTEN(1),
        /** There is none under the key, and nothing was written. */
        NO_RECORD(2),
        /** It did not have what was expected, and nothing was written. */
        NOT_AS_EXPECTED(3);

        private final int code;

        Result(int code) {
            this.code = code;
        }

        /** {@return the number by which it travels} */
        int code() {
            return code;
        }
    }

    /**
     * {@return a patch that writes these bytes, whatever is there}
     *
     * @param offset of the first one from the record's beginning, in bytes
     * @param bytes at least one
     * @throws IllegalArgumentException when no record has room for them
     */
    public static Patch write(int offset, byte... bytes) {
        return new Patch(List.of(), List.of(new Part(offset, Bytes.copyOf(bytes))));
    }

    /**
     * {@return a patch that writes these bytes, too}
     *
     * @param offset of the first one from the record's beginning, in bytes
     * @param bytes at least one
     * @throws IllegalArgumentException when no record has room for them, or there are {@link #PARTS_MAX} parts already
     */
    public Patch andWrite(int offset, byte... bytes) {
        return new Patch(expected, with(written, offset, bytes));
    }

    /**
     * {@return a patch that writes nothing unless these bytes, too, are there}
     *
     * @param offset of the first one from the record's beginning, in bytes
     * @param bytes at least one
     * @throws IllegalArgumentException when no record has room for them, or there are {@link #PARTS_MAX} parts already
     */
    public Patch ifThere(int offset, byte... bytes) {
        return new Patch(with(expected, offset, bytes), written);
    }

    private static List<Part> with(List<Part> parts, int offset, byte[] bytes) {
        List<Part> more = new ArrayList<>(parts);
        more.add(new Part(offset, Bytes.copyOf(bytes)));
        return more;
    }

    /** {@return where its last part ends, from the record's beginning, in bytes: a record is not shorter} */
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
     * Writes, if what is expected is there.
     *
     * @param record a whole record, of at least {@link #end} bytes; unchanged if it does not have what is expected
     * @return whether it has
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
