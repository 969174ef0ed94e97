package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sure that an incarnation of a node has ended. The lock of its node file shows whether it has: the operating system closes a process's
 * files when none of its threads runs any more.
 */
final class ShmKiller {
    private static final Logger LOG = LoggerFactory.getLogger(ShmKiller.class);

    /** How long a killed process may take to end: it may have many gigabytes to free. */
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** How long a process that looks for files of dead ones may hold the lock, or that of a process that has ended may take to become free. */
    private static final long LOCK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private ShmKiller() {}

    /**
     * Kills the process whose node file this is, unless it has ended, and waits until it has ended.
     *
     * @param nodeFile the file's name or, as something may remove that while the process lives, {@link Posix#path} of the open file
     * @throws IllegalStateException when the process cannot be found or killed, is this process, or does not end in time
     */
    static void kill(int node, int peer, Path nodeFile) {
        if (hasEnded(nodeFile)) {
            return;
        }
        long process = processOf(nodeFile);
        if (process == 0) {
            return; // the incarnation is starting and was not let in yet, or has ended
        }
        if (process == ProcessHandle.current().pid() && holds(process, nodeFile)) {
            throw new IllegalStateException(
                    "node " + peer + " lives in the process of node " + node + ": close it first");
        }
        int descriptor = Posix.openProcess(process);
        try {
            // Checked after the process is opened: another process may have got its id, or the id may be of
            // another container.
            if (descriptor < 0 || !holds(process, nodeFile)) {
                if (endsWithin(mayBeEnding(process) ? END_NANOS : LOCK_NANOS, nodeFile)) {
                    return; // another node has killed it, or had the lock for a moment
                }
                throw new IllegalStateException(
                        "node " + peer + " is alive (its node file is locked), but is not process " + process
                                + " here: all nodes must see each other's processes, and be of one user");
            }
            int error = Posix.kill(descriptor);
            if (error != 0 && error != Posix.ESRCH) {
                throw new IllegalStateException(
                        "cannot kill node " + peer + ", process " + process + ": " + Posix.text(error));
            }
            LOG.warn("event=peer_killed node={} peer={} pid={}: the peer is cut off", node, peer, process);
        } finally {
            if (descriptor >= 0) {
                Posix.close(descriptor);
            }
        }
        if (!endsWithin(END_NANOS, nodeFile)) {
            throw new IllegalStateException("node " + peer + ", process " + process
                    + ", was killed, but has not ended after " + TimeUnit.NANOSECONDS.toSeconds(END_NANOS) + " s");
        }
    }

    private static boolean endsWithin(long nanos, Path nodeFile) {
        long begin = System.nanoTime();
        while (!hasEnded(nodeFile)) {
            if (System.nanoTime() - begin > nanos) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    /** Whether no process has the file locked, or its name was removed, as at an orderly end of the incarnation. */
    private static boolean hasEnded(Path nodeFile) {
        int descriptor = Posix.openToLock(nodeFile.toString());
        if (descriptor < 0) {
            if (Files.notExists(nodeFile)) {
                return true;
            }
            throw new IllegalStateException("cannot open " + nodeFile + ": " + Posix.text(-descriptor));
        }
        try {
            return Posix.lock(descriptor) == 0;
        } finally {
            Posix.close(descriptor);
        }
    }

    /** The process id in an incarnation's node file; 0 if it is not written yet, or the incarnation has ended. */
    private static long processOf(Path nodeFile) {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(nodeFile)) {
            if (channel.size() < ShmNodeFileLayout.BYTES) {
                throw new IOException("it has " + channel.size() + " bytes");
            }
            return ShmNodeFileLayout.process(
                    Memory.of(channel.map(FileChannel.MapMode.READ_ONLY, 0, ShmNodeFileLayout.BYTES, arena)));
        } catch (IOException e) {
            if (hasEnded(nodeFile)) {
                return 0;
            }
            throw new IllegalStateException("cannot read the process id in " + nodeFile, e);
        }
    }

    /** Whether a process has the node file open for writing, as only the node's own process keeps it open. */
    static boolean holds(long process, Path nodeFile) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/" + process + "/fd"))) {
            for (Path descriptor : descriptors) {
                if (isSame(descriptor, nodeFile) && isForWriting(descriptor)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) { // the latter if it ends meanwhile
            LOG.debug("cannot look at the files of process {}", process, e);
        }
        return false;
    }

    /**
     * Whether a process has closed its files, which it does early in its end, or does not let others look at them, as when its first thread has given
     * up its memory. Its lock lasts until its last thread has ended, which may have to free that memory.
     */
    private static boolean mayBeEnding(long process) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/" + process + "/fd"))) {
            return !descriptors.iterator().hasNext();
        } catch (AccessDeniedException e) {
            return true;
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("process {} has ended", process, e);
            return false;
        }
    }

    /** Whether the file is open for writing, which the permissions of the descriptor's link show. */
    private static boolean isForWriting(Path descriptor) {
        try {
            return Files.getPosixFilePermissions(descriptor, LinkOption.NOFOLLOW_LINKS)
                    .contains(PosixFilePermission.OWNER_WRITE);
        } catch (IOException e) {
            return false; // it was closed meanwhile
        }
    }

    private static boolean isSame(Path descriptor, Path nodeFile) {
        try {
            return Files.isSameFile(descriptor, nodeFile);
        } catch (IOException e) {
            return false; // one of the two is gone
        }
    }
}
