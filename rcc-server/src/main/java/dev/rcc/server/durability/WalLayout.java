package dev.rcc.server.durability;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * The bytes of the write-ahead log: a sequence of files, the segments, each with a header and records. All numbers are
 * little-endian.
 *
 * <pre>
 *  header
 *   0        magic
 *   8        the segment's number
 *  16        fingerprint                   | see {@link WalIdentity}
 *  24        the cluster's birth           |
 *  32        the node (4)
 *  36        CRC32C of the above (4)
 *  40        zero, up to 64
 *
 *  record, at a multiple of 8
 *   0        length in bytes, a multiple of 8 (4)
 *   4        CRC32C of the segment's number, the record's offset, and the record without this word's half (4)
 *   8        offset in the segment where the record's batch starts (4)
 *  12        31..24 kind | 23..0 ring (4)
 *  16        position in the ring
 *  24        the payload, by kind
 * </pre>
 *
 * A batch is the records that were made durable together. So a record proves that everything before its batch was durable when the record
 * was written. This distinguishes a torn tail, which a crash leaves, from damage. The last record of a segment that has a successor is
 * {@link #END}.
 */
final class WalLayout {
    /** Bytes of a segment's header. */
    static final int HEADER_BYTES = 64;
    /** Bytes of a record without its payload. */
    static final int RECORD_BYTES = 24;
    /** No segment is longer: offsets in it are 32-bit numbers. */
    static final int MAX_SEGMENT_BYTES = Integer.MAX_VALUE;
    /** Records have a multiple of this many bytes. */
    static final int ALIGNMENT = 8;

    /** An entry of a ring, which is the payload. */
    static final int ENTRY = 1;
    /** The entry at this position of a ring was marked as aborted. */
    static final int ABORTED = 2;
    /** Everything in the ring before this position has committed, or was marked as aborted. */
    static final int DECIDED = 3;
    /** The segment is complete; there is another one. */
    static final int END = 5;

    static final int LENGTH_OFFSET = 0;
    static final int CRC_OFFSET = 4;
    static final int BATCH_OFFSET = 8;
    static final int KIND_OFFSET = 12;
    static final int POSITION_OFFSET = 16;

    /**
     * In a snapshot, the first record: the configuration, whose epoch is the position. The payload is words: for each partition the number
     * of nodes that hold it, and these nodes, the primary first.
     */
    static final int CONFIGURATION = 15;
    /** In a snapshot: the largest ids that were replayed of a ring's coroutines; pairs of words, coroutine and id. */
    static final int REPLAYED = 16;
    /** In a snapshot: the bound of timestamps, as the position. */
    static final int BOUND = 17;
    /** In a snapshot: tuples of a table, which is the ring, and a partition, which is the position. */
    static final int TUPLES = 18;
    /** In a snapshot: pairs of words, the number of a leaf and its version; otherwise as {@link #TUPLES}. */
    static final int LEAVES = 19;

    private static final long MAGIC = 0x00324c4157434352L; // "RCCWAL2", as it is read in the file
    private static final int SEGMENT_OFFSET = 8;
    private static final int FINGERPRINT_OFFSET = 16;
    private static final int BIRTH_OFFSET = 24;
    private static final int NODE_OFFSET = 32;
    private static final int HEADER_CRC_OFFSET = 36;

    private static final int KIND_SHIFT = 24;
    private static final int RING_MASK = (1 << KIND_SHIFT) - 1;

    private static final String PREFIX = "segment-";
    private static final String SUFFIX = ".wal";

    private WalLayout() {}

    /** The file of a segment. */
    static Path file(Path directory, long segment) {
        return directory.resolve(PREFIX + String.format(Locale.ROOT, "%012d", segment) + SUFFIX);
    }

    /** The number of the segment in a file of this name, if it is one. */
    static OptionalLong segment(Path file) {
        return number(file, PREFIX, SUFFIX);
    }

    /** The number in a file's name, between a prefix and a suffix. */
    static OptionalLong number(Path file, String prefix, String suffix) {
        String name = file.getFileName().toString();
        if (!name.startsWith(prefix) || !name.endsWith(suffix)) {
            return OptionalLong.empty();
        }
        String digits = name.substring(prefix.length(), name.length() - suffix.length());
        boolean isNumber = digits.length() == 12 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? OptionalLong.of(Long.parseLong(digits)) : OptionalLong.empty();
    }

    /** The header of a segment. */
    static ByteBuffer header(WalIdentity identity, long segment) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(0, MAGIC);
        header.putLong(SEGMENT_OFFSET, segment);
        header.putLong(FINGERPRINT_OFFSET, identity.fingerprint());
        header.putLong(BIRTH_OFFSET, identity.birthWallNanos());
        header.putInt(NODE_OFFSET, identity.node());
        header.putInt(HEADER_CRC_OFFSET, headerCrc(header));
        return header;
    }

    /** Whether the bytes are the whole header of a segment of this number. */
    static boolean isHeader(ByteBuffer header, long segment) {
        return header.limit() >= HEADER_BYTES
                && header.getLong(0) == MAGIC
                && header.getLong(SEGMENT_OFFSET) == segment
                && header.getInt(HEADER_CRC_OFFSET) == headerCrc(header);
    }

    /** The node and cluster that a segment belongs to, by its header. */
    static WalIdentity identity(ByteBuffer header) {
        return new WalIdentity(
                header.getInt(NODE_OFFSET), header.getLong(FINGERPRINT_OFFSET), header.getLong(BIRTH_OFFSET));
    }

    private static int headerCrc(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.duplicate().position(0).limit(HEADER_CRC_OFFSET));
        return (int) crc.getValue();
    }

    /** Whether records, and the record that ends a segment, fit behind the bytes that the segment has, up to a limit. */
    static boolean fits(int segmentBytes, int recordsBytes, int limit) {
        return (long) segmentBytes + recordsBytes + RECORD_BYTES <= limit;
    }

    /** Bytes of a record with so many bytes of payload. */
    static int recordBytes(int payloadBytes) {
        return (RECORD_BYTES + payloadBytes + (ALIGNMENT - 1)) & -ALIGNMENT;
    }

    /** The half word with kind and ring. */
    static int kindAndRing(int kind, int ring) {
        assert ring >= 0 && ring <= RING_MASK : ring;
        return kind << KIND_SHIFT | ring;
    }

    static int kind(int kindAndRing) {
        return kindAndRing >>> KIND_SHIFT;
    }

    static int ring(int kindAndRing) {
        return kindAndRing & RING_MASK;
    }

    /**
     * The checksum of the record that starts at {@code start} of {@code records}.
     *
     * @param where scratch of 16 bytes, little-endian
     * @param offset the record's offset in its segment
     */
    static int recordCrc(
            CRC32C crc, ByteBuffer where, ByteBuffer records, int start, int length, long segment, int offset) {
        crc.reset();
        where.clear();
        where.putLong(segment).putInt(offset).putInt(length).flip();
        crc.update(where);
        records.limit(start + length).position(start + BATCH_OFFSET);
        crc.update(records);
        return (int) crc.getValue();
    }
}
