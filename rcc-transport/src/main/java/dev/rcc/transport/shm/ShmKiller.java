package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sure that a life of a node has ended. Whether it has, the lock of its file tells: the operating system takes a process's files
 * from it when none of its threads runs any more.
 */
final class ShmKiller {
    private static final Logger LOG = LoggerFactory.getLogger(ShmKiller.class);

    /** How long a process may take to end that was killed: it may have many gigabytes to give back. */
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private ShmKiller() {}

    /**
     * Kills the process whose life a file is, unless it has ended, and waits until it has.
     *
     * @throws IllegalStateException when it lives on
     */
    static void kill(int node, int peer, Path life) {
        if (hasEnded(life)) {
            return;
        }
        long process = processOf(life);
        if (process == 0) {
            return; // it is about to begin, and was not let in yet
        }
        if (process == ProcessHandle.current().pid() && holds(process, life)) {
            throw new IllegalStateException(
                    "node " + peer + " lives in the process of node " + node + ": close it first");
        }
        int descriptor = Posix.openProcess(process);
        try {
            // Looked at once the process is held fast: another one may have got its id, or the id is of another
            // container.
            if (descriptor < 0 || !holds(process, life)) {
                if (hasEnded(life)) {
                    return;
                }
                throw new IllegalStateException(
                        "node " + peer + " lives, by the lock of " + life + ", but is not process " + process
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
        awaitEnd(peer, process, life);
    }

    private static void awaitEnd(int peer, long process, Path life) {
        long begin = System.nanoTime();
        while (!hasEnded(life)) {
            if (System.nanoTime() - begin > END_NANOS) {
                throw new IllegalStateException("node " + peer + ", process " + process
                        + ", was killed, but has not ended after " + TimeUnit.NANOSECONDS.toSeconds(END_NANOS) + " s");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Whether nobody has the file locked, or it has no name any more, as at a life's end in good order. */
    private static boolean hasEnded(Path life) {
        int descriptor = Posix.openToLock(life.toString());
        if (descriptor < 0) {
            if (Files.notExists(life)) {
                return true;
            }
            throw new IllegalStateException("cannot open " + life + ": " + Posix.text(-descriptor));
        }
        try {
            return Posix.lock(descriptor) == 0;
        } finally {
            Posix.close(descriptor);
        }
    }

    /** What a life says to be the id of its process; 0 if it says nothing yet, or not any more. */
    private static long processOf(Path life) {
        try (Arena arena = Arena.ofConfined()) {
            return ShmLifeLayout.process(Memory.of(ShmFiles.map(life, ShmLifeLayout.BYTES, arena)));
        } catch (IllegalArgumentException e) {
            if (hasEnded(life)) {
                return 0;
            }
            throw new IllegalStateException("cannot tell whose " + life + " is", e);
        }
    }

    /** Whether a process has the file open, as only the node does whose life it is. */
    private static boolean holds(long process, Path life) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/" + process + "/fd"))) {
            for (Path descriptor : descriptors) {
                if (isSame(descriptor, life)) {
                    return true;
                }
            }
        } catch (IOException e) {
            LOG.debug("cannot look at the files of process {}", process, e);
        }
        return false;
    }

    private static boolean isSame(Path descriptor, Path life) {
        try {
            return Files.isSameFile(descriptor, life);
        } catch (IOException e) {
            return false; // one of the two is not there any more
        }
    }
}
