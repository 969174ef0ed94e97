package dev.rcc.core.store;

import java.util.List;
import java.util.Objects;

/**
 * The definition of a secondary index: a table that the store keeps consistent with another table, its base, in the same transactions. For each
 * record of the base it has an entry, whose key is made of parts of the record and of its key, and whose record is the base's key.
 * {@link SecondaryLayout} lays out both.
 *
 * @param base the number of the table that is indexed
 * @param unique whether no two records of the base may have the same parts; if not, the entry's key ends with the base's key
 * @param parts the parts that form an entry's key, one after the other: 1 to {@link #MAX_PARTS}
 */
public record IndexSchema(int base, boolean unique, List<Part> parts) {
    /** Most parts of an index. */
    public static final int MAX_PARTS = 16;

    /** The source of a part, and its order. */
    public enum Kind {
        /**
         * Bytes of the base's key: for a 64-bit key, of the 8 bytes that {@link KeyParts#putLong} makes of it; for a byte string, of its bytes
         * followed by zeros.
         */
        KEY,
        /** Bytes of the record, which order as they lie there, unsigned. */
        BYTES,
        /** A number of 8 bytes of the record, little-endian as {@link dev.rcc.core.txn.Access#putLong} puts it, which orders as a signed number. */
        LONG,
        /** A number of 4 bytes of the record, little-endian, which orders as a signed number. */
        INTEGER,
        /** A number of 8 bytes of the record, big-endian as the client library's codecs put it, which orders as a signed number. */
        BIG_ENDIAN_LONG,
        /** A number of 4 bytes of the record, big-endian, which orders as a signed number. */
        BIG_ENDIAN_INTEGER;

        /** The bytes of each part of the kind, or 0 if parts differ. */
        int fixedBytes() {
            return switch (this) {
                case KEY, BYTES -> 0;
                case LONG, BIG_ENDIAN_LONG -> Long.BYTES;
                case INTEGER, BIG_ENDIAN_INTEGER -> Integer.BYTES;
            };
        }
    }

    /**
     * A part of an entry's key.
     *
     * @param kind the source of the part
     * @param offset its first byte in the record, or in the base's key
     * @param bytes its size
     */
    public record Part(Kind kind, int offset, int bytes) {
        /** Checks the part as far as possible without the base. */
        public Part {
            Objects.requireNonNull(kind, "kind");
            if (offset < 0 || bytes < 1) {
                throw new IllegalArgumentException(
                        "a part of an index has at least 1 byte from an offset of at least 0, got " + bytes + " from "
                                + offset);
            }
            if (kind.fixedBytes() != 0 && bytes != kind.fixedBytes()) {
                throw new IllegalArgumentException(
                        "a part of the kind " + kind + " has " + kind.fixedBytes() + " bytes, got " + bytes);
            }
        }

        /** Bytes of the base's key. */
        public static Part ofKey(int offset, int bytes) {
            return new Part(Kind.KEY, offset, bytes);
        }

        /** Bytes of the record. */
        public static Part ofBytes(int offset, int bytes) {
            return new Part(Kind.BYTES, offset, bytes);
        }

        /** A number of the record: {@link Kind#LONG}. */
        public static Part ofLong(int offset) {
            return number(Kind.LONG, offset);
        }

        /** A number of the record: {@link Kind#INTEGER}. */
        public static Part ofInteger(int offset) {
            return number(Kind.INTEGER, offset);
        }

        /** A number of the record, of one of the kinds that are numbers. */
        public static Part number(Kind kind, int offset) {
            return new Part(kind, offset, kind.fixedBytes());
        }

        /** Whether the part comes from the record, and so may change. */
        public boolean isOfRecord() {
            return kind != Kind.KEY;
        }
    }

    /** Checks the number of parts. */
    public IndexSchema {
        parts = List.copyOf(parts);
        if (parts.isEmpty() || parts.size() > MAX_PARTS) {
            throw new IllegalArgumentException("an index has 1 to " + MAX_PARTS + " parts, got " + parts.size());
        }
    }

    /** Bytes of the parts. */
    int partBytes() {
        return parts.stream().mapToInt(Part::bytes).sum();
    }

    /** The longest key of an entry. */
    int keyBytes(TableSchema baseSchema) {
        return partBytes() + (unique ? 0 : baseSchema.keyBytes());
    }

    /** Bytes of an entry's record: a 64-bit key, or a length and a byte string. */
    static int recordBytes(TableSchema baseSchema) {
        return KeySlot.bytes(baseSchema.keyKind(), baseSchema.keyBytes());
    }

    /**
     * Checks that a table can be the base of the index with this name.
     *
     * @throws IllegalArgumentException when it cannot
     */
    void check(String name, TableSchema baseSchema) {
        if (baseSchema.isIndex()) {
            throw new IllegalArgumentException(
                    "index " + name + ": table " + baseSchema.name() + " is an index itself");
        }
        if (baseSchema.distribution().rule() == Distribution.Rule.REPLICATED) {
            throw new IllegalArgumentException("index " + name + ": table " + baseSchema.name()
                    + " is replicated, and such a table has no indexes");
        }
        for (Part part : parts) {
            int limit = part.isOfRecord() ? baseSchema.recordBytes() : baseSchema.keyBytes();
            if (part.offset() > limit - part.bytes()) {
                throw new IllegalArgumentException("index " + name + ": table " + baseSchema.name() + " has "
                        + (part.isOfRecord() ? "records" : "keys") + " of " + limit + " bytes, got a part of "
                        + part.bytes() + " bytes from byte " + part.offset() + " on");
            }
        }
    }
}
