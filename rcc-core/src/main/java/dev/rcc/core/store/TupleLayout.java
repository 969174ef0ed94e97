package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;

/**
 * A tuple: the protocol's metadata, then the key, then the version and the record; under a protocol with checksums, a checksum between version and
 * record; under a protocol that keeps older records, these. All parts start on a word.
 *
 * <pre>
 *  0                      M            M+8          M+8+K        M+16+K          M+16+K+R        M+16+K+R+H*R
 * +----------------------+------------+------------+------------+---------------+- - - - - - - -+
 * | metadata (M)         | key header | key (K)    | version    | record (R)    | H older       |
 * | the protocol's words |            | zero-padded|            | zero-padded   | records       |
 * +----------------------+------------+------------+------------+---------------+- - - - - - - -+
 *                        |&lt;----- identity (8+K) --&gt;|&lt;----- value (8+R) --------&gt;|
 * |&lt;------------------------------- tuple ------------------------------------&gt;|&lt;- history ---&gt;|
 *
 * key header   63           33  32   31              0
 *             +---------------+----+-----------------+
 *             |  0            |live| key length      |    0: the slot holds no tuple
 *             +---------------+----+-----------------+
 * </pre>
 *
 * M, K and R are the sizes rounded up to words. The checksum, a word more, covers the identity, the version and the
 * record: with it a reader without a lock, whose bytes come in any order, verifies that all of them are of one version
 * ({@link #isWhole}). It is part of the value. The history belongs to the primary's protocol alone: replication,
 * indexes and inspection use the tuple only, and transactions' images hold no more than the tuple. The protocol's
 * metadata show which older record is of which version.
 *
 * <p>The distance of slots is the tuple's and the history's bytes, rounded up to a power of two or, above a cache line,
 * to whole lines. So no tuple touches more lines than it must. The version is the commit timestamp of the transaction
 * that wrote the record last: unique, and growing per key. In a slot whose tuple was deleted it is the deleting
 * transaction's, so that all changes of a slot are ordered. The identity and the value are contiguous, so that each is
 * compared, read or written in one piece. The protocol's own layout defines who may write which part, and when; the
 * identity changes only with an insert or delete.
 */
public final class TupleLayout {
    /** Most older records that a tuple has room for. */
    public static final int MAX_HISTORY_SLOTS = 63;

    private static final long LIVE = 1L << 32;
    private static final int LINE_BYTES = 64;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final int keyBytes;
    private final int recordBytes;
    private final boolean checksum;
    private final int identityOffset;
    private final int keyOffset;
    private final int versionOffset;
    private final int recordOffset;
    private final int tupleBytes;
    private final int historySlots;
    private final int slotBytes;

    /** The layout of a table's tuples without history; see {@link #TupleLayout(int, int, boolean, TableSchema)}. */
    public TupleLayout(int metadataBytes, TableSchema schema) {
        this(metadataBytes, 0, false, schema);
    }

    /**
     * Computes the layout of a table's tuples.
     *
     * @param metadataBytes the protocol's metadata per tuple, a multiple of 8
     * @param historySlots older records that each tuple has room for, 0 to {@link #MAX_HISTORY_SLOTS}
     * @param checksum whether each tuple has a checksum
     */
    public TupleLayout(int metadataBytes, int historySlots, boolean checksum, TableSchema schema) {
        if (historySlots < 0 || historySlots > MAX_HISTORY_SLOTS) {
            throw new IllegalArgumentException(
                    "a tuple has room for 0 to " + MAX_HISTORY_SLOTS + " older records, got " + historySlots);
        }
        if (metadataBytes < 0 || metadataBytes % Memory.WORD_BYTES != 0) {
            throw new IllegalArgumentException("metadata must be whole words, got " + metadataBytes + " bytes");
        }
        keyBytes = Memory.alignToWord(schema.keyBytes());
        recordBytes = Memory.alignToWord(schema.recordBytes());
        identityOffset = metadataBytes;
        keyOffset = identityOffset + Memory.WORD_BYTES;
        versionOffset = keyOffset + keyBytes;
        this.checksum = checksum;
        recordOffset = versionOffset + (checksum ? 2 : 1) * Memory.WORD_BYTES;
        tupleBytes = recordOffset + recordBytes;
        this.historySlots = historySlots;
        int bytes = tupleBytes + historySlots * recordBytes;
        slotBytes = spaced(bytes);
    }

    /** The distance of objects of {@code bytes} bytes at which none touches more cache lines than it must. */
    static int spaced(int bytes) {
        return bytes <= LINE_BYTES ? Integer.highestOneBit(2 * bytes - 1) : (bytes + LINE_BYTES - 1) & -LINE_BYTES;
    }

    /** The key header of a live tuple whose key has {@code keyLength} bytes. */
    public static long liveHeader(int keyLength) {
        return LIVE | keyLength;
    }

    /** The key's length in bytes, from a live header. */
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

    /** Bytes of the value: version, checksum if there is one, and padded record. */
    public int valueBytes() {
        return tupleBytes - versionOffset;
    }

    /** Offset of the content behind the version: the checksum, if there is one, and the record. */
    public int contentOffset() {
        return versionOffset + Memory.WORD_BYTES;
    }

    /** Bytes of the checksum, if there is one, and the padded record. */
    public int contentBytes() {
        return tupleBytes - contentOffset();
    }

    /** Writes the checksum of a tuple or image: of its identity, its record and the version that it has or will get. */
    public void putChecksum(Memory memory, long tuple, long version) {
        if (checksum) {
            memory.putLong(tuple + contentOffset(), checksum(memory, tuple, version));
        }
    }

    /**
     * Whether all bytes of the identity, the version and the record that lie at an image are of one version. True is wrong with probability 2^-64
     * only, however many versions the bytes are of. Only for tuples with a checksum.
     */
    public boolean isWhole(Memory memory, long image) {
        if (!checksum) {
            throw new IllegalStateException("tuples have no checksums: see Protocol.hasChecksums");
        }
        return memory.getLong(image + contentOffset())
                == checksum(memory, image, memory.getLong(image + versionOffset));
    }

    private long checksum(Memory memory, long tuple, long version) {
        long even = KeyHash.mix(version);
        long odd = ~even;
        even = absorb(memory, tuple + identityOffset, identityBytes(), even);
        odd = absorb(memory, tuple + recordOffset, recordBytes, odd);
        return KeyHash.mix(even ^ Long.rotateLeft(odd, 32));
    }

    /** Absorbs two words at a time, in two chains that the CPU works on at once. */
    private static long absorb(Memory memory, long offset, int bytes, long state) {
        long even = state;
        long odd = ~state;
        int i = 0;
        for (; i + Memory.WORD_BYTES < bytes; i += 2 * Memory.WORD_BYTES) {
            even = fold(even ^ memory.getLong(offset + i));
            odd = fold(odd ^ memory.getLong(offset + i + Memory.WORD_BYTES));
        }
        if (i < bytes) {
            even = fold(even ^ memory.getLong(offset + i));
        }
        return even ^ Long.rotateLeft(odd, 32);
    }

    /** Multiplies to 128 bits and folds these into 64: each bit changes half of the other bits. */
    private static long fold(long word) {
        return Math.unsignedMultiplyHigh(word, MULTIPLIER) ^ (word * MULTIPLIER);
    }

    /** Offset of the record. */
    public int recordOffset() {
        return recordOffset;
    }

    /** Bytes of the record, padded to words. */
    public int recordBytes() {
        return recordBytes;
    }

    /** Bytes of the tuple without its history. */
    public int tupleBytes() {
        return tupleBytes;
    }

    /** The number of older records that the history has room for. */
    public int historySlots() {
        return historySlots;
    }

    /** Offset of the older record with this number, 0 to {@link #historySlots} - 1. */
    public int historyRecordOffset(int slot) {
        assert slot >= 0 && slot < historySlots : slot;
        return tupleBytes + slot * recordBytes;
    }

    /** Bytes from one tuple slot to the next, at least the bytes of tuple and history. */
    public int slotBytes() {
        return slotBytes;
    }
}
