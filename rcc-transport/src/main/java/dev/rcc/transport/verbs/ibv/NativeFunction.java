package dev.rcc.transport.verbs.ibv;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/**
 * A function of a {@link NativeLibrary}, for set-up and tear-down: a call allocates. All arguments are integers or pointers.
 * May be called on any thread.
 */
public final class NativeFunction {
    static final String ERRNO = "errno";

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = STATE.byteOffset(PathElement.groupElement(ERRNO));

    private final String name;
    private final MethodHandle handle;

    NativeFunction(String name, MethodHandle handle, int arguments) {
        this.name = name;
        this.handle = handle.asSpreader(long[].class, arguments)
                .asType(MethodType.methodType(long.class, MemorySegment.class, long[].class));
    }

    /** The value that the function returns, or 0 if it returns none. */
    public long call(long... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            return invoke(arena.allocate(STATE), arguments);
        }
    }

    /**
     * Calls a function that returns null when it fails.
     *
     * @throws VerbsException when it fails
     */
    public long pointer(long... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long pointer = invoke(state, arguments);
            if (pointer == 0) {
                throw new VerbsException(name, errno(state));
            }
            return pointer;
        }
    }

    /**
     * Calls a function that returns a file descriptor, or -1 when it fails.
     *
     * @throws VerbsException when it fails
     */
    public int descriptor(long... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int descriptor = (int) invoke(state, arguments);
            if (descriptor < 0) {
                throw new VerbsException(name, errno(state));
            }
            return descriptor;
        }
    }

    /**
     * Calls a function that returns 0 when it succeeds, and else an error number or, with {@code errno} set, -1.
     *
     * @return 0 or the error number
     */
    public int errorOf(long... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int result = (int) invoke(state, arguments);
            return result == -1 ? errno(state) : result;
        }
    }

    /**
     * Calls a function of the same kind as {@link #errorOf}.
     *
     * @throws VerbsException when it fails
     */
    public void check(long... arguments) {
        int error = errorOf(arguments);
        if (error != 0) {
            throw new VerbsException(name, error);
        }
    }

    private long invoke(MemorySegment state, long[] arguments) {
        try {
            return (long) handle.invokeExact(state, arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError(name + " could not be called", e);
        }
    }

    private static int errno(MemorySegment state) {
        return state.get(ValueLayout.JAVA_INT, ERRNO_OFFSET);
    }
}
