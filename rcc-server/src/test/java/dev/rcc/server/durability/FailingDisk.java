package dev.rcc.server.durability;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A disk that can fail. It counts the operations that change anything; from a chosen number on, all fail. It also records how much of
 * each file was forced, so that a loss of power can take away the rest.
 */
public final class FailingDisk implements Disk {
    /** The effect of the first operation that fails. */
    public enum Fault {
        /** None. */
        NOTHING,
        /** A write writes a part. */
        PART,
        /** The whole operation, but without an acknowledgement. */
        ALL
    }

    private final AtomicLong operations = new AtomicLong();
    private final Map<Path, Long> forced = new ConcurrentHashMap<>();
    /** The bytes of files before they were cut short, until that is forced. */
    private final Map<Path, byte[]> cut = new ConcurrentHashMap<>();

    private volatile long failFrom = Long.MAX_VALUE;
    private volatile Fault fault = Fault.NOTHING;
    private volatile boolean isFull;
    private final AtomicReference<Error> nextError = new AtomicReference<>();
    /** Both are open unless {@link #hold} was called. */
    private volatile CountDownLatch held = new CountDownLatch(0);

    private volatile CountDownLatch released = new CountDownLatch(0);

    /** Fails from operation number {@code operation} on, counted from now. */
    public void failAfter(long count, Fault newFault) {
        fault = newFault;
        failFrom = operations.get() + count;
    }

    /** Works again. */
    public void mend() {
        failFrom = Long.MAX_VALUE;
        isFull = false;
    }

    /** Has no more room: writes fail, the rest works. */
    public void fill() {
        isFull = true;
    }

    /** Holds the next renaming, until {@link #release}. */
    public void hold() {
        released = new CountDownLatch(1);
        held = new CountDownLatch(1);
    }

    /** The next renaming ends with an error of the JVM. */
    public void throwOnce(Error error) {
        nextError.set(error);
    }

    /** Waits until a renaming is held. */
    public void awaitHeld() throws InterruptedException {
        held.await();
    }

    /** Goes on. */
    public void release() {
        released.countDown();
    }

    /** Whether an operation has failed. */
    public boolean isFailing() {
        return operations.get() > failFrom;
    }

    /** Operations that would have changed anything. */
    public long operations() {
        return operations.get();
    }

    /**
     * Cuts each file at some point between its forced and its written end, as a loss of power may. A file that was cut short, without a
     * force since, is as long as before, with the bytes that were written to it since.
     */
    public void losePower(SplittableRandom random) throws IOException {
        for (Map.Entry<Path, byte[]> file : cut.entrySet()) {
            byte[] whole = file.getValue().clone();
            byte[] now = Files.readAllBytes(file.getKey());
            System.arraycopy(now, 0, whole, 0, Math.min(now.length, whole.length));
            Files.write(file.getKey(), whole);
        }
        cut.clear();
        for (Map.Entry<Path, Long> file : forced.entrySet()) {
            if (Files.exists(file.getKey())) {
                try (FileChannel channel = FileChannel.open(file.getKey(), StandardOpenOption.WRITE)) {
                    long from = Math.min(file.getValue(), channel.size());
                    channel.truncate(from + random.nextLong(channel.size() - from + 1));
                }
            }
        }
        forced.clear();
    }

    private boolean fails() {
        return operations.incrementAndGet() > failFrom;
    }

    private boolean failsFirst() {
        return operations.get() == failFrom + 1;
    }

    private static IOException failure() {
        return new IOException("the disk fails, as it was told to");
    }

    @Override
    public FileChannel open(Path file, OpenOption... options) throws IOException {
        for (OpenOption option : options) {
            if (option == StandardOpenOption.CREATE_NEW && fails()) {
                throw failure();
            }
        }
        FileChannel channel = Disk.REAL.open(file, options);
        for (OpenOption option : options) {
            if (option == StandardOpenOption.WRITE) {
                forced.putIfAbsent(file, channel.size());
            }
        }
        return new Channel(file, channel);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        held.countDown();
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted while the disk holds a renaming");
        }
        Error error = nextError.getAndSet(null);
        if (error != null) {
            throw error;
        }
        if (fails() && !(fault == Fault.ALL && failsFirst())) {
            throw failure();
        }
        Disk.REAL.rename(from, to);
        Long bytes = forced.remove(from);
        if (bytes != null) {
            forced.put(to, bytes);
        }
        if (operations.get() > failFrom) {
            throw failure();
        }
    }

    @Override
    public void delete(Path file) throws IOException {
        if (fails()) {
            throw failure();
        }
        Disk.REAL.delete(file);
        forced.remove(file);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        if (fails()) {
            throw failure();
        }
        Disk.REAL.syncDirectory(directory);
    }

    private final class Channel extends FileChannel {
        private final Path file;
        private final FileChannel real;

        Channel(Path file, FileChannel real) {
            this.file = file;
            this.real = real;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            boolean fails = fails();
            if (isFull) {
                throw new IOException("No space left on device");
            }
            if (fails) {
                if (failsFirst() && fault != Fault.NOTHING) {
                    int whole = source.remaining();
                    int bytes = fault == Fault.PART ? whole / 2 : whole;
                    int limit = source.limit();
                    real.write(source.limit(source.position() + bytes));
                    source.limit(limit);
                }
                throw failure();
            }
            // A write may write less than it was given; the caller must handle that.
            int limit = source.limit();
            int some = Math.max(1, source.remaining() * 2 / 3);
            int written = real.write(source.limit(source.position() + some));
            source.limit(limit);
            return written;
        }

        @Override
        public void force(boolean metadata) throws IOException {
            long size = real.size();
            boolean fails = fails();
            if (fails && !(failsFirst() && fault == Fault.ALL)) {
                throw failure();
            }
            real.force(metadata);
            forced.put(file, size);
            cut.remove(file);
            if (fails) {
                throw failure();
            }
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            if (fails()) {
                throw failure();
            }
            cut.putIfAbsent(file, Files.readAllBytes(file));
            real.truncate(size);
            return this;
        }

        @Override
        public FileChannel position(long position) throws IOException {
            real.position(position);
            return this;
        }

        @Override
        public long position() throws IOException {
            return real.position();
        }

        @Override
        public long size() throws IOException {
            return real.size();
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            return real.read(target);
        }

        @Override
        public MemorySegment map(MapMode mode, long offset, long size, Arena arena) throws IOException {
            return real.map(mode, offset, size, arena);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            real.close();
        }

        // ---- unused operations -------------------------------------------------------------------------------------

        @Override
        public long read(ByteBuffer[] targets, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(ByteBuffer target, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer source, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }
    }
}
