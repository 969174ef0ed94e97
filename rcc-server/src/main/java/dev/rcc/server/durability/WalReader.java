package dev.rcc.server.durability;

import dev.rcc.core.memory.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a write-ahead log. The log ends with the last whole record: the bytes after it are the part of the last batch that a crash has
 * left. That batch was never reported as durable. Any other difference from the bytes that were written is damage, and an error.
 */
final class WalReader {
    private static final Logger LOG = LoggerFactory.getLogger(WalReader.class);

    private final Disk disk;
    private final Path directory;
    private final WalIdentity identity;
    private final Arena arena;
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer where = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);

    /**
     * A reader of the log in a directory.
     *
     * @param identity the node and cluster that the log must belong to
     * @param arena stays open as long as the bytes that a {@link Visitor} receives are needed
     */
    WalReader(Disk disk, Path directory, WalIdentity identity, Arena arena) {
        this.disk = disk;
        this.directory = directory;
        this.identity = identity;
        this.arena = arena;
    }

    /** Receives the records of the log, in its order. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Receives a record.
         *
         * @param memory holds the payload, at an aligned {@code offset}
         */
        void record(int kind, int ring, long position, Memory memory, long offset, int bytes);
    }

    /**
     * The end of a log.
     *
     * @param segment the last segment
     * @param bytes the number of its bytes that are whole
     * @param ended whether it is marked as complete
     */
    record End(long segment, long bytes, boolean ended) {}

    /**
     * The node and cluster that the log in a directory belongs to, by its first segment with a header.
     *
     * @return null if there is none
     */
    static WalIdentity identityOf(Disk disk, Path directory) throws IOException {
        for (long segment : WalFiles.segments(directory)) {
            ByteBuffer header = ByteBuffer.allocate(WalLayout.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            try (FileChannel channel = disk.open(WalLayout.file(directory, segment), StandardOpenOption.READ)) {
                int read = 0;
                while (header.hasRemaining() && read >= 0) {
                    read = channel.read(header);
                }
            }
            if (WalLayout.isHeader(header.flip(), segment)) {
                return WalLayout.identity(header);
            }
        }
        return null;
    }

    /**
     * Reads the segments from one on.
     *
     * @param first the number of the first segment to read, which must be there
     * @throws WalDamaged with file and offset
     */
    End read(long first, Visitor visitor) throws IOException {
        List<Long> segments = WalFiles.segments(directory).stream()
                .filter(segment -> segment >= first)
                .toList();
        End end = null;
        for (int i = 0; i < segments.size() || i == 0; i++) {
            long expected = first + i;
            if (i >= segments.size() || segments.get(i) != expected) {
                throw new WalDamaged(WalLayout.file(directory, expected), "this segment of the log is missing");
            }
            end = readSegment(expected, i == segments.size() - 1, visitor);
        }
        return end;
    }

    private End readSegment(long segment, boolean last, Visitor visitor) throws IOException {
        Path file = WalLayout.file(directory, segment);
        MemorySegment bytes = map(file);
        if (last && bytes.byteSize() <= WalLayout.HEADER_BYTES && !isHeader(bytes, segment)) {
            LOG.info("event=log_file_unfinished file={}: the node stopped while it created the file", file);
            return new End(segment, 0, false);
        }
        if (!isHeader(bytes, segment)) {
            throw new WalDamaged(
                    file, 0, "this is not the header of segment " + segment + ", as this version writes it");
        }
        checkIdentity(file, WalLayout.identity(bytes.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN)));
        ByteBuffer records = bytes.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        Memory memory = bytes.byteSize() == 0 ? null : Memory.of(bytes);
        long at = WalLayout.HEADER_BYTES;
        while (at < bytes.byteSize()) {
            if (!isRecord(records, at, segment)) {
                if (last) {
                    checkTorn(file, records, at, segment);
                    return new End(segment, at, false);
                }
                throw new WalDamaged(
                        file,
                        at,
                        "the log is damaged: incomplete or corrupt record, but the log goes on in later segments");
            }
            int kindAndRing = records.getInt((int) at + WalLayout.KIND_OFFSET);
            int length = records.getInt((int) at + WalLayout.LENGTH_OFFSET);
            at += length;
            if (WalLayout.kind(kindAndRing) == WalLayout.END) {
                return ended(file, segment, at, bytes.byteSize());
            }
            long position = records.getLong((int) at - length + WalLayout.POSITION_OFFSET);
            visitor.record(
                    WalLayout.kind(kindAndRing),
                    WalLayout.ring(kindAndRing),
                    position,
                    memory,
                    at - length + WalLayout.RECORD_BYTES,
                    length - WalLayout.RECORD_BYTES);
        }
        if (!last) {
            throw new WalDamaged(
                    file,
                    at,
                    "the log is damaged: this segment has lost its end, and the log goes on in later segments");
        }
        return new End(segment, at, false);
    }

    /**
     * Reads a snapshot, which must be whole.
     *
     * @throws WalDamaged with file and offset
     */
    void readSnapshot(Path file, long number, Visitor visitor) throws IOException {
        MemorySegment bytes = mapSnapshot(file, number);
        long at = WalLayout.HEADER_BYTES;
        while (true) {
            ByteBuffer record = record(file, bytes, at, number);
            if (WalLayout.kind(record.getInt(WalLayout.KIND_OFFSET)) == WalLayout.END) {
                ended(file, number, at + record.limit(), bytes.byteSize());
                return;
            }
            show(record, Memory.of(bytes), at, visitor);
            at += record.limit();
        }
    }

    /**
     * Reads a snapshot's first record.
     *
     * @throws WalDamaged when it is not whole
     */
    void readStart(Path file, long number, Visitor visitor) throws IOException {
        MemorySegment bytes = mapSnapshot(file, number);
        show(record(file, bytes, WalLayout.HEADER_BYTES, number), Memory.of(bytes), WalLayout.HEADER_BYTES, visitor);
    }

    private MemorySegment mapSnapshot(Path file, long number) throws IOException {
        MemorySegment bytes;
        try (FileChannel channel = disk.open(file, StandardOpenOption.READ)) {
            bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
        ByteBuffer header = window(bytes, 0, WalLayout.HEADER_BYTES);
        if (!WalLayout.isHeader(header, number)) {
            throw new WalDamaged(
                    file, 0, "this is not the header of snapshot " + number + ", as this version writes it");
        }
        checkIdentity(file, WalLayout.identity(header));
        return bytes;
    }

    private ByteBuffer record(Path file, MemorySegment bytes, long at, long number) {
        ByteBuffer start = window(bytes, at, WalLayout.RECORD_BYTES);
        int length = start.limit() < WalLayout.RECORD_BYTES ? 0 : start.getInt(WalLayout.LENGTH_OFFSET);
        ByteBuffer record = window(bytes, at, Math.max(0, length));
        boolean whole = length >= WalLayout.RECORD_BYTES
                && record.limit() == length
                && start.getInt(WalLayout.CRC_OFFSET)
                        == WalLayout.recordCrc(crc, where, record, 0, length, number, (int) at);
        if (!whole) {
            throw new WalDamaged(file, at, "the snapshot is damaged: incomplete or corrupt record");
        }
        record.clear();
        return record;
    }

    private static void show(ByteBuffer record, Memory memory, long at, Visitor visitor) {
        int kindAndRing = record.getInt(WalLayout.KIND_OFFSET);
        visitor.record(
                WalLayout.kind(kindAndRing),
                WalLayout.ring(kindAndRing),
                record.getLong(WalLayout.POSITION_OFFSET),
                memory,
                at + WalLayout.RECORD_BYTES,
                record.limit() - WalLayout.RECORD_BYTES);
    }

    private static ByteBuffer window(MemorySegment bytes, long at, long count) {
        return bytes.asSlice(at, Math.min(count, bytes.byteSize() - at))
                .asByteBuffer()
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private void checkIdentity(Path file, WalIdentity found) {
        if (!found.equals(identity)) {
            throw new WalDamaged(
                    file,
                    "was written by " + found + ", this is " + identity
                            + "; the fingerprint is of nodes, replicas, workers, tables and protocol");
        }
    }

    private static End ended(Path file, long segment, long at, long bytes) {
        if (at != bytes) {
            throw new WalDamaged(file, at, "unexpected bytes after the end record");
        }
        return new End(segment, at, true);
    }

    private MemorySegment map(Path file) throws IOException {
        try (FileChannel channel = disk.open(file, StandardOpenOption.READ)) {
            if (channel.size() > WalLayout.MAX_SEGMENT_BYTES) {
                throw new WalDamaged(file, "is longer than any segment: " + channel.size() + " bytes");
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }

    private static boolean isHeader(MemorySegment bytes, long segment) {
        return WalLayout.isHeader(bytes.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN), segment);
    }

    private boolean isRecord(ByteBuffer records, long at, long segment) {
        records.clear();
        if (at + WalLayout.RECORD_BYTES > records.capacity()) {
            return false;
        }
        int start = (int) at;
        int length = records.getInt(start + WalLayout.LENGTH_OFFSET);
        int batch = records.getInt(start + WalLayout.BATCH_OFFSET);
        if (length < WalLayout.RECORD_BYTES
                || length % WalLayout.ALIGNMENT != 0
                || length > records.capacity() - start
                || batch < WalLayout.HEADER_BYTES
                || batch > start) {
            return false;
        }
        int check = records.getInt(start + WalLayout.CRC_OFFSET);
        boolean whole = check == WalLayout.recordCrc(crc, where, records, start, length, segment, start);
        records.clear();
        return whole;
    }

    /** Checks that no record of a later batch follows a record that is not whole: the log was durable here when that later record was written. */
    private void checkTorn(Path file, ByteBuffer records, long torn, long segment) {
        for (long at = torn + WalLayout.ALIGNMENT; at < records.capacity(); at += WalLayout.ALIGNMENT) {
            if (isRecord(records, at, segment) && records.getInt((int) at + WalLayout.BATCH_OFFSET) > torn) {
                throw new WalDamaged(
                        file,
                        torn,
                        "the log is damaged: incomplete or corrupt record, but at offset " + at
                                + " there is one that was written after this one was durable");
            }
        }
        LOG.info(
                "event=log_end_torn file={} offset={} bytes={}: the node stopped while it wrote; the last bytes are left out",
                file,
                torn,
                records.capacity() - torn);
    }

    /**
     * Cuts off incomplete bytes at the end of the log, and marks the segment as complete there, so that another one can follow.
     *
     * @return the number of the next segment
     */
    static long seal(Disk disk, Path directory, End end) throws IOException {
        Path file = WalLayout.file(directory, end.segment());
        if (end.bytes() == 0) {
            disk.delete(file);
            disk.syncDirectory(directory);
            return end.segment();
        }
        if (!end.ended()) {
            ByteBuffer record = ByteBuffer.allocate(WalLayout.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            record.putInt(WalLayout.LENGTH_OFFSET, WalLayout.RECORD_BYTES);
            record.putInt(WalLayout.BATCH_OFFSET, (int) end.bytes());
            record.putInt(WalLayout.KIND_OFFSET, WalLayout.kindAndRing(WalLayout.END, 0));
            ByteBuffer scratch = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
            int check = WalLayout.recordCrc(
                    new CRC32C(), scratch, record, 0, WalLayout.RECORD_BYTES, end.segment(), (int) end.bytes());
            record.clear().putInt(WalLayout.CRC_OFFSET, check);
            try (FileChannel channel = disk.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(end.bytes());
                // Before the record is written: a loss of power must not bring the bytes back behind it.
                channel.force(true);
                channel.position(end.bytes());
                while (record.hasRemaining()) {
                    channel.write(record);
                }
                channel.force(true);
            }
        }
        return end.segment() + 1;
    }
}
