package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.ValueLayout;

/**
 * An entry of a secondary index, made of a tuple of its base.
 *
 * <pre>
 * key     +--------+--------+- - - +- - - - - - - - - - - - - - - - - - -+
 *         | part 1 | part 2 | ...  | the base's key, unless it is unique |
 *         +--------+--------+- - - +- - - - - - - - - - - - - - - - - - -+
 *
 * record   0                            0            8
 *         +------------+               +------------+-----------------------+
 *         | 64-bit key |       or      | its length | byte string, padded   |
 *         +------------+               +------------+-----------------------+
 * </pre>
 *
 * Numbers are big-endian in an entry's key, with the sign bit inverted, as in {@link KeyParts}; so entries order by their parts. Keys are passed as
 * identities: key header and padded key, as in {@link TupleLayout}. Stateless except for the sizes. Nothing allocates.
 */
public final class SecondaryLayout {
    private final boolean unique;
    private final IndexSchema.Part[] parts;
    private final int partBytes;
    private final boolean hasLongKeys;
    private final int baseKeyBytes;
    private final int paddedBaseBytes;
    private final int identityBytes;

    SecondaryLayout(TableSchema index, TableSchema base) {
        IndexSchema schema = index.index();
        unique = schema.unique();
        parts = schema.parts().toArray(IndexSchema.Part[]::new);
        partBytes = schema.partBytes();
        hasLongKeys = base.keyKind() == KeyKind.LONG;
        baseKeyBytes = base.keyBytes();
        paddedBaseBytes = Memory.alignToWord(baseKeyBytes);
        identityBytes = Memory.WORD_BYTES + Memory.alignToWord(index.keyBytes());
    }

    /** Whether no two tuples of the base have the same parts; if not, an entry's key contains the base's key. */
    public boolean isUnique() {
        return unique;
    }

    /** Bytes of an entry's identity. */
    public int identityBytes() {
        return identityBytes;
    }

    /** Bytes of the identity of a tuple of the base. */
    public int baseIdentityBytes() {
        return Memory.WORD_BYTES + paddedBaseBytes;
    }

    /**
     * Puts the identity of a tuple's entry.
     *
     * @param from where the tuple's identity lies, at {@code base}
     * @param records where its record lies, at {@code record}, as far as the parts come from it
     */
    public void putIdentity(Memory from, long base, Memory records, long record, Memory to, long identity) {
        long key = identity + Memory.WORD_BYTES;
        to.zero(key, identityBytes - Memory.WORD_BYTES);
        long at = key;
        for (IndexSchema.Part part : parts) {
            switch (part.kind()) {
                case KEY -> putKey(from, base, part, to, at);
                case BYTES -> records.copy(record + part.offset(), to, at, part.bytes());
                case LONG, INTEGER -> putNumber(records, record + part.offset(), part.bytes(), to, at);
                case BIG_ENDIAN_LONG, BIG_ENDIAN_INTEGER -> {
                    records.copy(record + part.offset(), to, at, part.bytes());
                    putByte(to, at, flipped(byteAt(to, at), 0));
                }
            }
            at += part.bytes();
        }
        if (!unique) {
            int length = TupleLayout.keyLength(from.getLong(base));
            if (hasLongKeys) {
                putNumber(from, base + Memory.WORD_BYTES, Long.BYTES, to, at);
            } else {
                from.copy(base + Memory.WORD_BYTES, to, at, length);
            }
            at += length;
        }
        to.putLong(identity, TupleLayout.liveHeader((int) (at - key)));
    }

    private void putKey(Memory from, long base, IndexSchema.Part part, Memory to, long at) {
        long key = base + Memory.WORD_BYTES;
        if (hasLongKeys) {
            for (int i = 0; i < part.bytes(); i++) { // little-endian in memory
                putByte(to, at + i, flipped(byteAt(from, key + Long.BYTES - 1 - part.offset() - i), part.offset() + i));
            }
        } else { // padded with zeros up to the limit
            from.copy(key + part.offset(), to, at, part.bytes());
        }
    }

    private static void putNumber(Memory from, long offset, int bytes, Memory to, long at) {
        for (int i = 0; i < bytes; i++) {
            putByte(to, at + i, flipped(byteAt(from, offset + bytes - 1 - i), i));
        }
    }

    /** A byte of a number, with the sign bit inverted if it is the most significant one. */
    private static int flipped(int value, int position) {
        return position == 0 ? value ^ 0x80 : value;
    }

    /** Puts an entry's record: the base's key. */
    public void putRecord(Memory from, long base, Memory to, long record) {
        if (hasLongKeys) {
            to.putLong(record, from.getLong(base + Memory.WORD_BYTES));
        } else {
            to.putLong(record, TupleLayout.keyLength(from.getLong(base)));
            from.copy(base + Memory.WORD_BYTES, to, record + Memory.WORD_BYTES, paddedBaseBytes);
        }
    }

    /**
     * Puts the base's identity that an entry's record contains.
     *
     * @return whether it contains one
     */
    public boolean putBaseOfRecord(Memory from, long record, Memory to, long base) {
        if (hasLongKeys) {
            to.putLong(base, TupleLayout.liveHeader(Long.BYTES));
            to.putLong(base + Memory.WORD_BYTES, from.getLong(record));
            return true;
        }
        long length = from.getLong(record);
        if (length < 1 || length > baseKeyBytes) {
            return false;
        }
        to.putLong(base, TupleLayout.liveHeader((int) length));
        from.copy(record + Memory.WORD_BYTES, to, base + Memory.WORD_BYTES, paddedBaseBytes);
        return true;
    }

    /**
     * Puts the base's identity that an entry's key contains, in an index that is not unique.
     *
     * @return whether it contains one
     */
    public boolean putBaseOfKey(Memory from, long identity, Memory to, long base) {
        int length = TupleLayout.keyLength(from.getLong(identity)) - partBytes;
        long key = identity + Memory.WORD_BYTES + partBytes;
        if (unique || length < 1 || length > baseKeyBytes || (hasLongKeys && length != Long.BYTES)) {
            return false;
        }
        to.putLong(base, TupleLayout.liveHeader(length));
        to.zero(base + Memory.WORD_BYTES, paddedBaseBytes);
        if (hasLongKeys) {
            for (int i = 0; i < Long.BYTES; i++) {
                putByte(to, base + Memory.WORD_BYTES + Long.BYTES - 1 - i, flipped(byteAt(from, key + i), i));
            }
        } else {
            from.copy(key, to, base + Memory.WORD_BYTES, length);
        }
        return true;
    }

    private static int byteAt(Memory memory, long offset) {
        return memory.segment().get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
    }

    private static void putByte(Memory memory, long offset, int value) {
        memory.segment().set(ValueLayout.JAVA_BYTE, offset, (byte) value);
    }
}
