package dev.rcc.server.durability;

import dev.rcc.core.memory.Memory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** Writes a file of {@link WalLayout} records, one after the other; a long record goes on in another one of the same kind. */
final class RecordFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 18;

    private final FileChannel channel;
    private final long number;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final MemorySegment bytes = MemorySegment.ofBuffer(buffer);
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer where = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    private long offset = WalLayout.HEADER_BYTES;
    private int kindAndRing;
    private long position;

    RecordFile(Disk disk, Path file, WalIdentity identity, long number) throws IOException {
        this.number = number;
        this.channel = disk.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            writeAll(WalLayout.header(identity, number));
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** Writes a record without payload. */
    void put(int kind, int ring, long newPosition) throws IOException {
        begin(kind, ring, newPosition);
        flush();
    }

    /** Begins a record. */
    void begin(int kind, int ring, long newPosition) {
        kindAndRing = WalLayout.kindAndRing(kind, ring);
        position = newPosition;
        buffer.clear().position(WalLayout.RECORD_BYTES);
    }

    /** Makes room for {@code wanted} bytes, which are not to be divided between two records. */
    void makeRoom(int wanted) throws IOException {
        if (buffer.remaining() < wanted) {
            flush();
            buffer.clear().position(WalLayout.RECORD_BYTES);
        }
    }

    void putWord(long word) {
        buffer.putLong(word);
    }

    /** Puts whole words. */
    void putBytes(Memory source, long sourceOffset, int count) {
        MemorySegment.copy(source.segment(), sourceOffset, bytes, buffer.position(), count);
        buffer.position(buffer.position() + count);
    }

    /** Ends a record; an empty one is left out. */
    void end() throws IOException {
        if (buffer.position() > WalLayout.RECORD_BYTES) {
            flush();
        }
    }

    /** Makes the file durable; returns its size in bytes. */
    long force() throws IOException {
        channel.force(true);
        return offset;
    }

    private void flush() throws IOException {
        int length = buffer.position();
        buffer.putInt(WalLayout.LENGTH_OFFSET, length);
        buffer.putInt(WalLayout.BATCH_OFFSET, WalLayout.HEADER_BYTES);
        buffer.putInt(WalLayout.KIND_OFFSET, kindAndRing);
        buffer.putLong(WalLayout.POSITION_OFFSET, position);
        buffer.putInt(WalLayout.CRC_OFFSET, WalLayout.recordCrc(crc, where, buffer, 0, length, number, (int) offset));
        buffer.position(0).limit(length);
        writeAll(buffer);
        offset += length;
    }

    private void writeAll(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            channel.write(source);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
