package dev.rcc.transport.verbs.ibv;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The error numbers of Linux that verbs give a meaning of their own, and their texts. */
@SuppressWarnings("restricted") // this class exists for native access; the launcher allows it
public final class Errno {
    /** Interrupted by a signal. */
    public static final int EINTR = 4;
    /** Nothing is there at the moment. */
    public static final int EAGAIN = 11;
    /** No memory: in the queue, in the device, or of the memory that may be locked. */
    public static final int ENOMEM = 12;
    /** Permission denied. */
    public static final int EACCES = 13;
    /** In use. */
    public static final int EBUSY = 16;
    /** An argument is wrong. */
    public static final int EINVAL = 22;

    private static final int TEXT_BYTES_MAX = 256;
    private static final MethodHandle STRERROR = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("strerror"),
                    FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));

    private Errno() {}

    /** The platform's text for an error number, followed by the number. */
    public static String text(int errno) {
        try {
            MemorySegment text = (MemorySegment) STRERROR.invokeExact(errno);
            return Raw.string(text.address(), TEXT_BYTES_MAX) + " (errno " + errno + ")";
        } catch (Throwable e) {
            throw new LinkageError("strerror could not be called", e);
        }
    }
}
