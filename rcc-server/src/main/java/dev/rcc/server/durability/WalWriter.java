package dev.rcc.server.durability;

import dev.rcc.core.memory.Memory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the write-ahead log of a node, on one thread, with group commit: while a batch is written and forced to disk, other threads append
 * to the next.
 *
 * <p>After any failure the log is at its end. Bytes that were not forced may or may not be on disk. Forcing again would not show which, as
 * the system may have dropped the pages that it could not write. Nothing more is written then, and nothing more is reported as durable.
 *
 * <p>{@link #append} may be called on any thread; it copies, never waits for the disk, and allocates nothing.
 */
final class WalWriter implements AutoCloseable {
    /** The result of {@link #append} when there is no room in the batch. */
    static final long NO_ROOM = -1;

    private static final Logger LOG = LoggerFactory.getLogger(WalWriter.class);

    private final Disk disk;
    private final Path directory;
    private final WalIdentity identity;
    private final int segmentBytes;
    private final Listener listener;
    private final DurabilityCounters counters;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    /** Where records are appended; under the lock. */
    private Batch filling;

    private long fillingNumber = 1;
    private boolean closing;
    private CompletableFuture<Long> rotation;

    // ---- the writer's thread --------------------------------------------------------------------------------------
    private Batch writing;
    /** For the record that ends a segment. */
    private final Batch last = new Batch(WalLayout.RECORD_BYTES, 0);

    private final CRC32C crc = new CRC32C();
    private final ByteBuffer where = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    private FileChannel channel;
    private long segment;
    private int offset;

    private volatile long durableBatch;
    private volatile boolean failed;

    /** Receives the progress of durability, on the writer's thread. */
    interface Listener {
        /** Every entry of a ring before {@code end} that was appended is durable. */
        void durable(int ring, long end);

        /** The log is at its end: nothing more becomes durable. */
        void failed(Throwable cause);
    }

    /**
     * Begins a segment, which must not be there, and the thread.
     *
     * @param rings number of log rings
     * @param batchBytes room for the records of a batch; no record is larger
     * @param segmentBytes a segment is ended before it has more bytes, except a segment of one batch, which may be larger
     * @throws IllegalArgumentException when a segment could be longer than {@link WalLayout#MAX_SEGMENT_BYTES}
     */
    WalWriter(
            Disk disk,
            Path directory,
            WalIdentity identity,
            long segment,
            int rings,
            int batchBytes,
            int segmentBytes,
            Listener listener,
            DurabilityCounters counters)
            throws IOException {
        if (!WalLayout.fits(WalLayout.HEADER_BYTES, batchBytes, WalLayout.MAX_SEGMENT_BYTES)) {
            throw new IllegalArgumentException("a batch of the log must fit into a segment of "
                    + WalLayout.MAX_SEGMENT_BYTES + " bytes, got " + batchBytes + " bytes");
        }
        this.disk = disk;
        this.directory = directory;
        this.identity = identity;
        this.segmentBytes = segmentBytes;
        this.listener = listener;
        this.counters = counters;
        this.filling = new Batch(batchBytes, rings);
        this.writing = new Batch(batchBytes, rings);
        begin(segment);
        this.thread =
                Thread.ofPlatform().daemon().name("rcc-wal-" + identity.node()).start(this::run);
    }

    /** The records of a batch, and the end of each ring's entries in it. */
    private static final class Batch {
        private final ByteBuffer buffer;
        private final MemorySegment bytes;
        private final long[] ends;
        private final int[] rings;
        private int ringCount;

        Batch(int batchBytes, int rings) {
            this.buffer = ByteBuffer.allocateDirect(batchBytes).order(ByteOrder.LITTLE_ENDIAN);
            this.bytes = MemorySegment.ofBuffer(buffer);
            this.ends = new long[rings];
            this.rings = new int[rings];
        }

        boolean hasRoom(int recordBytes) {
            return recordBytes <= buffer.remaining();
        }

        void add(int kind, int ring, long position, MemorySegment payload, long offset, int bytes) {
            int start = buffer.position();
            int length = WalLayout.recordBytes(bytes);
            buffer.putInt(start + WalLayout.LENGTH_OFFSET, length);
            buffer.putInt(start + WalLayout.KIND_OFFSET, WalLayout.kindAndRing(kind, ring));
            buffer.putLong(start + WalLayout.POSITION_OFFSET, position);
            if (bytes > 0) {
                buffer.putLong(start + length - WalLayout.ALIGNMENT, 0); // the padding behind the payload
                MemorySegment.copy(payload, offset, this.bytes, (long) start + WalLayout.RECORD_BYTES, bytes);
            }
            buffer.position(start + length);
        }

        void coversUpTo(int ring, long end) {
            if (ends[ring] == 0) {
                rings[ringCount++] = ring;
            }
            ends[ring] = end;
        }

        void clear() {
            buffer.clear();
            for (int i = 0; i < ringCount; i++) {
                ends[rings[i]] = 0;
            }
            ringCount = 0;
        }
    }

    /**
     * Appends an entry of a ring; the entries of one ring in their order.
     *
     * @param end the position after the entry
     * @return the number of its batch, or {@link #NO_ROOM}: to be tried again later
     */
    long appendEntry(int ring, long position, long end, Memory log, long entry, int bytes) {
        lock.lock();
        try {
            long batch = add(WalLayout.ENTRY, ring, position, log.segment(), entry, bytes);
            if (batch != NO_ROOM) {
                filling.coversUpTo(ring, end);
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Appends another record on a ring.
     *
     * @return the number of its batch, or {@link #NO_ROOM}: to be tried again later
     */
    long append(int kind, int ring, long position) {
        lock.lock();
        try {
            return add(kind, ring, position, null, 0, 0);
        } finally {
            lock.unlock();
        }
    }

    private long add(int kind, int ring, long position, MemorySegment payload, long offset, int bytes) {
        if (!filling.hasRoom(WalLayout.recordBytes(bytes))) {
            return NO_ROOM;
        }
        filling.add(kind, ring, position, payload, offset, bytes);
        work.signal();
        return fillingNumber;
    }

    /** Every batch up to this number is durable. */
    long durableBatch() {
        return durableBatch;
    }

    /** Whether nothing more becomes durable. */
    boolean isFailed() {
        return failed;
    }

    /**
     * Ends the segment, with everything that was appended, and begins the next.
     *
     * @return the number of the next segment, once that exists; or the failure
     */
    CompletableFuture<Long> rotate() {
        lock.lock();
        try {
            if (failed || closing) {
                return CompletableFuture.failedFuture(new IOException("the log has failed or is closed"));
            }
            if (rotation == null) {
                rotation = new CompletableFuture<>();
            }
            work.signal();
            return rotation;
        } finally {
            lock.unlock();
        }
    }

    /** Makes everything that was appended durable, if nothing has failed, and ends the thread. */
    @Override
    public void close() {
        lock.lock();
        try {
            closing = true;
            work.signal();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true; // the thread must end before the memory that it reports on
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            boolean more = true;
            while (more) {
                more = turn();
            }
            channel.close();
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
        }
    }

    /**
     * Waits for something to do, and does it.
     *
     * @return false when there will be nothing more
     */
    private boolean turn() throws IOException {
        CompletableFuture<Long> rotate;
        long number;
        boolean last;
        lock.lock();
        try {
            while (isEmpty(filling) && rotation == null && !closing) {
                work.awaitUninterruptibly();
            }
            last = closing && isEmpty(filling) && rotation == null;
            Batch full = filling;
            filling = writing;
            writing = full;
            number = fillingNumber++;
            rotate = rotation;
            rotation = null;
        } finally {
            lock.unlock();
        }
        try {
            write(number);
            if (rotate != null) {
                end();
                begin(segment + 1);
                rotate.complete(segment);
            }
        } catch (IOException | RuntimeException | Error e) {
            if (rotate != null) {
                rotate.completeExceptionally(e);
            }
            throw e;
        }
        return !last;
    }

    private static boolean isEmpty(Batch batch) {
        return batch.buffer.position() == 0;
    }

    private void write(long number) throws IOException {
        int bytes = writing.buffer.position();
        if (bytes > 0) {
            if (offset > WalLayout.HEADER_BYTES && !WalLayout.fits(offset, bytes, segmentBytes)) {
                end();
                begin(segment + 1);
            }
            writeAndForce(writing.buffer);
        }
        for (int i = 0; i < writing.ringCount; i++) {
            int ring = writing.rings[i];
            listener.durable(ring, writing.ends[ring]);
        }
        writing.clear();
        durableBatch = number; // last: a reader of it finds all rings reported
    }

    /** Marks the segment as complete. */
    private void end() throws IOException {
        last.clear();
        last.add(WalLayout.END, 0, 0, null, 0, 0);
        writeAndForce(last.buffer);
        channel.close();
    }

    private void writeAndForce(ByteBuffer records) throws IOException {
        int bytes = records.position();
        seal(records, bytes);
        records.position(0).limit(bytes);
        while (records.hasRemaining()) {
            channel.write(records);
        }
        long begin = System.nanoTime();
        channel.force(false);
        counters.forced(bytes, System.nanoTime() - begin);
        offset += bytes;
    }

    /** Gives the records their place in the segment, and their checksums. */
    private void seal(ByteBuffer records, int bytes) {
        for (int at = 0; at < bytes; ) {
            int length = records.getInt(at + WalLayout.LENGTH_OFFSET);
            records.putInt(at + WalLayout.BATCH_OFFSET, offset);
            int check = WalLayout.recordCrc(crc, where, records, at, length, segment, offset + at);
            records.clear().putInt(at + WalLayout.CRC_OFFSET, check);
            at += length;
        }
    }

    private void begin(long newSegment) throws IOException {
        segment = newSegment;
        offset = WalLayout.HEADER_BYTES;
        channel = WalFiles.create(disk, directory, identity, segment);
    }

    private void fail(Throwable cause) {
        LOG.error(
                "event=disk_failed node={} directory={}: the write-ahead log cannot be written; the node acknowledges nothing more",
                identity.node(),
                directory,
                cause);
        CompletableFuture<Long> rotate;
        lock.lock();
        try {
            failed = true;
            rotate = rotation;
            rotation = null;
        } finally {
            lock.unlock();
        }
        if (rotate != null) {
            rotate.completeExceptionally(cause);
        }
        listener.failed(cause);
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("closing a log that cannot be written", e);
        }
    }
}
