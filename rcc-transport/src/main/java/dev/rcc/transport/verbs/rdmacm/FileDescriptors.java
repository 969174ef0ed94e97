package dev.rcc.transport.verbs.rdmacm;

import dev.rcc.transport.verbs.ibv.NativeFunction;
import dev.rcc.transport.verbs.ibv.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Waiting for file descriptors, with time-outs.
 *
 * <pre>{@code
 * struct pollfd { int fd; short events; short revents; };
 * }</pre>
 */
public final class FileDescriptors {
    private static final NativeLibrary LIBC = NativeLibrary.libc();
    private static final NativeFunction POLL = LIBC.intFunction("poll", 3);
    private static final NativeFunction FCNTL = LIBC.intFunction("fcntl", 3);

    private static final int POLLFD_BYTES = 8;
    private static final int FD = 0;
    private static final int EVENTS = 4;
    private static final short POLLIN = 1;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;

    private FileDescriptors() {}

    /** Makes reads return at once when there is nothing to read. */
    public static void setNonBlocking(int descriptor) {
        FCNTL.check(descriptor, F_SETFL, O_NONBLOCK);
    }

    /** Waits until there is data to read, a signal comes, or the time is over. Returns whether there may be data. */
    public static boolean await(int descriptor, int timeoutMillis) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pollfd = arena.allocate(POLLFD_BYTES, Integer.BYTES);
            pollfd.set(ValueLayout.JAVA_INT, FD, descriptor);
            pollfd.set(ValueLayout.JAVA_SHORT, EVENTS, POLLIN);
            return POLL.call(pollfd.address(), 1, timeoutMillis) != 0;
        }
    }
}
