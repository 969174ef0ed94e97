package dev.rcc.transport.shm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The files of one incarnation of a node. Their names are
 *
 * <pre>
 *   rcc.CLUSTER.NODE.INCARNATION.node          the node file, to wake the node's workers; locked as long as the process lives
 *   rcc.CLUSTER.NODE.INCARNATION.region-ID     a registered region
 *   rcc.CLUSTER.NODE.INCARNATION.link-ID       the rings to a peer, until the peer has mapped them
 * </pre>
 *
 * <p>All blocks of a file are reserved when it is created. On a full file system that fails with an error message, where a sparse
 * file would kill the process at some later store, by SIGBUS. For the same reason no file is ever made shorter. {@link #close} unlinks the
 * files; the files of a killed process stay until its node's next incarnation begins, or until {@link #removeDead}. Mapped memory stays,
 * whether its file is unlinked or not.
 *
 * <p>Used at set-up and when peers come and go, on any thread.
 */
final class ShmFiles implements AutoCloseable {
    private static final String PREFIX = "rcc.";
    private static final String NODE_FILE = ".node";
    private static final Set<String> PROCESSORS = Set.of("amd64", "x86_64", "aarch64");

    /** How long another process may hold the lock of an incarnation's own file; {@link #LOOK_NANOS} is the time between two attempts. */
    private static final long LOCK_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final ShmOptions options;
    private final Path directory;
    private final String prefix;
    private final List<Path> created = new ArrayList<>();
    private int lock = -1;
    private boolean closed;

    /**
     * Begins an incarnation: removes the files that earlier incarnations of this node have left.
     *
     * @param nodeFileBytes size of the file that {@link #nodeFile} names
     */
    ShmFiles(ShmOptions options, int node, long incarnation, long nodeFileBytes) {
        checkPlatform();
        this.options = options;
        directory = options.directory();
        if (!Files.isDirectory(directory)) {
            throw new IllegalArgumentException("directory must be one that exists, got " + directory);
        }
        String ofNode = PREFIX + options.cluster() + "." + node + ".";
        removeDead(directory, ofNode);
        prefix = ofNode + HexFormat.of().toHexDigits(incarnation);
        lock = createNodeFile(nodeFileBytes);
    }

    /**
     * Creates the node file and locks it; the lock shows that the incarnation lives. In between, a process that looks for dead incarnations may
     * have locked and removed the file; then this method creates another one.
     */
    private int createNodeFile(long bytes) {
        while (true) {
            int descriptor = createFile(nodeFile(), bytes);
            lock(descriptor);
            if (Files.exists(nodeFile())) {
                return descriptor;
            }
            Posix.close(descriptor);
            remove(nodeFile());
        }
    }

    /** Locks the incarnation's own file; another process that has the lock releases it soon. */
    private void lock(int descriptor) {
        long deadline = System.nanoTime() + LOCK_NANOS;
        int error = Posix.lock(descriptor);
        while (error == Posix.EAGAIN && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
            error = Posix.lock(descriptor);
        }
        if (error != 0) {
            Posix.close(descriptor);
            close();
            throw new IllegalStateException("cannot lock " + nodeFile() + ": " + Posix.text(error));
        }
    }

    /**
     * Checks that {@link Posix} supports this operating system and processor.
     *
     * @throws UnsupportedOperationException when it does not
     */
    static void checkPlatform() {
        String os = System.getProperty("os.name");
        String processor = System.getProperty("os.arch");
        if (!"Linux".equals(os) || !PROCESSORS.contains(processor)) {
            throw new UnsupportedOperationException(
                    "the network shm needs Linux on x86-64 or aarch64, this is " + os + " on " + processor);
        }
    }

    /** The file that peers map to wake this node's workers. */
    Path nodeFile() {
        return directory.resolve(prefix + NODE_FILE);
    }

    /** Creates the file of a region. */
    Path createRegion(int id, long bytes) {
        return create("region-" + id, bytes);
    }

    /** Creates the file of the rings to a peer. */
    Path createLink(long id, long bytes) {
        return create("link-" + HexFormat.of().toHexDigits(id), bytes);
    }

    private Path create(String name, long bytes) {
        Path path = directory.resolve(prefix + "." + name);
        Posix.close(createFile(path, bytes));
        return path;
    }

    private synchronized int createFile(Path path, long bytes) {
        if (closed) {
            throw new IllegalStateException("this node has left the network");
        }
        int descriptor = Posix.create(path.toString());
        if (descriptor < 0) {
            throw new IllegalStateException("cannot create " + path + ": " + Posix.text(-descriptor));
        }
        created.add(path);
        int error = Posix.reserve(descriptor, bytes);
        if (error != 0) {
            Posix.close(descriptor);
            remove(path);
            throw noRoom(path, bytes, error);
        }
        return descriptor;
    }

    private IllegalStateException noRoom(Path path, long bytes, int error) {
        String free;
        try {
            free = String.valueOf(Files.getFileStore(directory).getUsableSpace());
        } catch (IOException e) {
            free = "an unknown number of";
        }
        String hint = error == Posix.ENOSPC
                ? ". Make tables or rings smaller, or the file system larger (mount -o remount,size=... " + directory
                        + "; in a container, --shm-size), or remove what dead processes have left there"
                : "";
        return new IllegalStateException("cannot reserve " + bytes + " bytes for " + path + ": " + Posix.text(error)
                + "; " + free + " bytes are free" + hint);
    }

    /** Unlinks a file; a process that has mapped it keeps the memory. */
    synchronized void remove(Path path) {
        created.remove(path);
        unlink(path);
    }

    /**
     * Ends the incarnation: unlinks all its files, the node file last, by which the others are found if this breaks off. A second call does
     * nothing.
     */
    @Override
    public synchronized void close() {
        closed = true;
        while (!created.isEmpty()) {
            unlink(created.getLast());
            created.removeLast();
        }
        if (lock >= 0) {
            Posix.close(lock);
            lock = -1;
        }
    }

    /** For tests: leaves the files without the lock, as a kill does. */
    synchronized void abandon() {
        created.clear();
        close();
    }

    /**
     * Maps a file that this process or another has created.
     *
     * @throws IllegalArgumentException when the file cannot be mapped, or is shorter than {@code bytes}
     */
    static MemorySegment map(Path path, long bytes, Arena arena) {
        try (FileChannel channel = FileChannel.open(
                path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
            if (channel.size() < bytes) { // mapping it would make it longer, with blocks that were not reserved
                throw new IllegalArgumentException(path + " must have " + bytes + " bytes, and has " + channel.size());
            }
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot map " + path + ": " + e, e);
        }
    }

    /** Removes the files of all dead processes of a cluster, and returns their number. */
    static int removeDead(ShmOptions options) {
        return removeDead(options.directory(), PREFIX + options.cluster() + ".");
    }

    private static int removeDead(Path directory, String prefix) {
        int removed = 0;
        for (Path nodeFile : list(directory, prefix, NODE_FILE)) {
            int descriptor = Posix.openToLock(nodeFile.toString());
            if (descriptor >= 0) {
                if (Posix.lock(descriptor) == 0) {
                    String name = nodeFile.getFileName().toString();
                    String ofIncarnation = name.substring(0, name.length() - NODE_FILE.length() + 1);
                    // The node file goes last, so that a removal that breaks off can be done again.
                    for (Path path : list(directory, ofIncarnation, "")) {
                        if (!path.equals(nodeFile)) {
                            unlink(path);
                            removed++;
                        }
                    }
                    unlink(nodeFile);
                    removed++;
                }
                Posix.close(descriptor);
            }
        }
        return removed;
    }

    /** The node file of an incarnation of a node, if it is there. */
    Path nodeFile(int node, long incarnation) {
        return directory.resolve(
                PREFIX + options.cluster() + "." + node + "." + HexFormat.of().toHexDigits(incarnation) + NODE_FILE);
    }

    /** The incarnation that a node file belongs to. */
    static long incarnationOf(Path nodeFile) {
        String name = nodeFile.getFileName().toString();
        int end = name.length() - NODE_FILE.length();
        return HexFormat.fromHexDigitsToLong(name, end - 2 * Long.BYTES, end);
    }

    private static List<Path> list(Path directory, String prefix, String suffix) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory, path -> {
            String name = path.getFileName().toString();
            return name.startsWith(prefix) && name.endsWith(suffix);
        })) {
            paths.forEach(found::add);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for files in " + directory, e);
        }
        return found;
    }

    /** Unlinks a file, if it is still there. */
    static void unlink(Path path) {
        try {
            Files.delete(path);
        } catch (NoSuchFileException e) {
            // another process was faster
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + path, e);
        }
    }
}
