package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;

/**
 * A tuple: the protocol's metadata, then the key, then the version and the record. All parts start on a word.
 *
 * <pre>
 *  0                      M            M+8          M+8+K        M+16+K          M+16+K+R
 * +----------------------+------------+------------+------------+---------------+
 * | metadata (M)         | key header | key (K)    | version    | record (R)    |
 * | the protocol's words |            | zero-padded|            | zero-padded   |
 * +----------------------+------------+------------+------------+---------------+
 *                        |&lt;----- identity (8+K) --&gt;|&lt;----- value (8+R) --------&gt;|
 *
 * key header   63           33  32   31              0
 *             +---------------+----+-----------------+
 *             |  0            |live| key length      |    0: the slot holds no tuple
 *             +---------------+----+-----------------+
 * </pre>
 *
 * M, K and R are the sizes rounded up to words. Slots are as far apart as the tuple's bytes rounded up to a power of two
 * or, above a cache line, to whole lines; so no tuple touches more lines than it must. The version is the commit timestamp of the transaction that wrote the
 * record last: unique, and growing per key. In a slot whose tuple was deleted it is the deleting transaction's, so that
 * all that ever happens in a slot has an order. The identity and the value are contiguous, so that each is compared, read
 * or written in one piece. Who may write which part, and when, the protocol's own layout says; the identity changes only
 * with an insert or delete.
 */
public final class TupleLayout {
    private static final long LIVE = 1L << 32;
    private static final int LINE_BYTES = 64;

    private final int keyBytes;
    private final int recordBytes;
    private final int identityOffset;
    private final int keyOffset;
    private final int versionOffset;
    private final int recordOffset;
    private final int tupleBytes;
    private final int slotBytes;

    /**
     * Computes the layout of a table's tuples.
     *
     * @param metadataBytes the protocol's metadata per tuple, a multiple of 8
     */
    public TupleLayout(int metadataBytes, TableSchema schema) {
        if (metadataBytes < 0 || metadataBytes % Memory.WORD_BYTES != 0) {
            throw new IllegalArgumentException("metadata must be whole words, got " + metadataBytes + " bytes");
        }
        keyBytes = Memory.alignToWord(schema.keyBytes());
        recordBytes = Memory.alignToWord(schema.recordBytes());
        identityOffset = metadataBytes;
        keyOffset = identityOffset + Memory.WORD_BYTES;
        versionOffset = keyOffset + keyBytes;
        recordOffset = versionOffset + Memory.WORD_BYTES;
        tupleBytes = recordOffset + recordBytes;
        slotBytes = tupleBytes <= LINE_BYTES
                ? Integer.highestOneBit(2 * tupleBytes - 1)
                : (tupleBytes + LINE_BYTES - 1) & -LINE_BYTES;
    }

    /** The key header of a live tuple whose key has {@code keyLength} bytes. */
    public static long liveHeader(int keyLength) {
        return LIVE | keyLength;
    }

    /** The key's length in bytes, of a live header. */
    public static int keyLength(long header) {
        return (int) header;
    }

    /** Whether the slot with this key header holds a tuple. */
    public static boolean isLive(long header) {
        return (header & LIVE) != 0;
    }

    /** Writes the identity of a byte-string key to {@code offset}: header, key and padding. */
    public void putIdentity(Memory memory, long offset, byte[] key) {
        memory.putLong(offset, liveHeader(key.length));
        memory.zero(offset + Memory.WORD_BYTES, keyBytes);
        memory.putBytes(offset + Memory.WORD_BYTES, key, 0, key.length);
    }

    /** Offset of the key header, where the identity starts. */
    public int identityOffset() {
        return identityOffset;
    }

    /** Bytes of the identity: key header and padded key. */
    public int identityBytes() {
        return Memory.WORD_BYTES + keyBytes;
    }

    /** Offset of the key. */
    public int keyOffset() {
        return keyOffset;
    }

    /** Offset of the version, where the value starts. */
    public int versionOffset() {
        return versionOffset;
    }

    /** Bytes of the value: version and padded record. */
    public int valueBytes() {
        return Memory.WORD_BYTES + recordBytes;
    }

    /** Offset of the record. */
    public int recordOffset() {
        return recordOffset;
    }

    /** Bytes of the record, padded to words. */
    public int recordBytes() {
        return recordBytes;
    }

    /** Bytes of the whole tuple. */
    public int tupleBytes() {
        return tupleBytes;
    }

    /** Bytes from one tuple slot to the next, at least {@link #tupleBytes}. */
    public int slotBytes() {
        return slotBytes;
    }
}
