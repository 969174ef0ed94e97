package dev.rcc.transport.shm;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/**
 * The few calls of Linux that the JDK does not offer: creating a file that only its owner may access, reserving its blocks,
 * locking it for as long as the process lives, futexes in memory that processes share, and killing exactly one process. Only this
 * class of the package calls native functions; {@link ShmFiles#checkPlatform} comes first.
 */
final class Posix {
    static final int EAGAIN = 11;
    static final int ESRCH = 3;
    static final int EINTR = 4;
    static final int ENOSPC = 28;

    private static final int O_RDONLY = 0;
    private static final int O_RDWR = 2;
    private static final int O_CREAT = 0x40;
    private static final int O_EXCL = 0x80;
    private static final int O_CLOEXEC = 0x80000;
    private static final int OWNER_ONLY = 0x180; // rw-------
    private static final int LOCK_EX = 2;
    private static final int LOCK_NB = 4;
    private static final long FUTEX_WAIT = 0; // not the private forms, which work within one process only
    private static final long FUTEX_WAKE = 1;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBC = LINKER.defaultLookup();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MemoryLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO_OF = CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static final MethodHandle OPEN =
            function("open", FunctionDescriptor.of(INT, POINTER, INT, INT), ERRNO, Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(INT, INT));
    private static final MethodHandle FLOCK = function("flock", FunctionDescriptor.of(INT, INT, INT), ERRNO);
    private static final MethodHandle FALLOCATE =
            function("posix_fallocate", FunctionDescriptor.of(INT, INT, LONG, LONG));
    private static final MethodHandle STRERROR = function("strerror", FunctionDescriptor.of(POINTER, INT));
    // long syscall(long number, ...): number, address, operation, value, timeout
    private static final MethodHandle WAIT = function(
            "syscall",
            FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG),
            ERRNO,
            Linker.Option.firstVariadicArg(1));
    private static final MethodHandle WAKE =
            function("syscall", FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG), Linker.Option.firstVariadicArg(1));
    // long syscall(long number, ...): number, process id, flags
    private static final MethodHandle PIDFD = function(
            "syscall", FunctionDescriptor.of(LONG, LONG, LONG, LONG), ERRNO, Linker.Option.firstVariadicArg(1));
    // long syscall(long number, ...): number, descriptor, signal, information, flags
    private static final MethodHandle SIGNAL = function(
            "syscall",
            FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG),
            ERRNO,
            Linker.Option.firstVariadicArg(1));
    private static final long PIDFD_OPEN = 434;
    private static final long PIDFD_SEND_SIGNAL = 424;
    private static final long SIGKILL = 9;
    private static final long FUTEX = "aarch64".equals(System.getProperty("os.arch")) ? 98 : 202;

    private Posix() {}

    /** Creates a file that only its owner may read and write, and returns its descriptor, or minus the error's number. */
    static int create(String path) {
        return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC);
    }

    /** Opens a file that exists, to lock it, and returns its descriptor, or minus the error's number. */
    static int openToLock(String path) {
        return open(path, O_RDONLY | O_CLOEXEC);
    }

    /** The path of a file that this process has open; there is one as long as the descriptor is open, even if the file has no name any more. */
    static Path path(int descriptor) {
        return Path.of("/proc/self/fd/" + descriptor);
    }

    private static int open(String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            int descriptor = (int) OPEN.invokeExact(state, arena.allocateFrom(path), flags, OWNER_ONLY);
            return descriptor >= 0 ? descriptor : -errno(state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Closes a descriptor. Nothing was written through it, so an error does no harm. */
    static void close(int descriptor) {
        try {
            int ignored = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Locks a file until its descriptor is closed, by the process's death at the latest; returns 0 or the error's number. */
    static int lock(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            return (int) FLOCK.invokeExact(state, descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno(state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Makes a file {@code bytes} long and reserves all its blocks, zeroed; returns 0 or the error's number. */
    static int reserve(int descriptor, long bytes) {
        try {
            int error;
            do {
                error = (int) FALLOCATE.invokeExact(descriptor, 0L, bytes);
            } while (error == EINTR);
            return error;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Sleeps until {@link #futexWake} at the same address, or returns at once when the word there is not {@code expected}.
     *
     * @param state memory that {@link #newCallState} allocated
     * @return 0 or the error's number; {@link #EAGAIN} and {@link #EINTR} are no failures
     */
    static int futexWait(MemorySegment state, long address, int expected) {
        try {
            long result = (long) WAIT.invokeExact(state, FUTEX, address, FUTEX_WAIT, (long) expected, 0L);
            return result == 0 ? 0 : errno(state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Wakes the thread that sleeps at this address; there is one at most. */
    static void futexWake(long address) {
        try {
            long ignored = (long) WAKE.invokeExact(FUTEX, address, FUTEX_WAKE, 1L);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Allocates memory for the error's number. */
    static MemorySegment newCallState(Arena arena) {
        return arena.allocate(CALL_STATE);
    }

    /** Opens a process, so that a later {@link #kill} hits no other; returns the descriptor, or minus the error's number. */
    static int openProcess(long process) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            long descriptor = (long) PIDFD.invokeExact(state, PIDFD_OPEN, process, 0L);
            return descriptor >= 0 ? (int) descriptor : -errno(state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Kills the process that was opened; returns 0 or the error's number; {@link #ESRCH} means that the process has ended. */
    static int kill(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            return (long) SIGNAL.invokeExact(state, PIDFD_SEND_SIGNAL, (long) descriptor, SIGKILL, 0L, 0L) == 0
                    ? 0
                    : errno(state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** The error's text. */
    @SuppressWarnings("restricted") // the text is short and ends with a 0 byte
    static String text(int error) {
        try {
            MemorySegment text = (MemorySegment) STRERROR.invokeExact(error);
            return text.reinterpret(256).getString(0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static int errno(MemorySegment state) {
        return (int) ERRNO_OF.get(state, 0L);
    }

    @SuppressWarnings("restricted") // this class is why native access is enabled
    private static MethodHandle function(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        MemorySegment address = LIBC.find(name)
                .orElseThrow(() -> new UnsupportedOperationException(
                        "the network shm needs Linux: the C library here has no function " + name));
        return LINKER.downcallHandle(address, descriptor, options);
    }

    /** Rethrows an unchecked exception of a downcall, which throws no checked one. */
    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(e);
    }
}
