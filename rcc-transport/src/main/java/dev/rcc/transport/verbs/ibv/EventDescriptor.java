package dev.rcc.transport.verbs.ibv;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A file descriptor ({@code eventfd}) that can be signalled, and is readable from then on: it ends a wait for other descriptors. */
public final class EventDescriptor implements AutoCloseable {
    private static final NativeLibrary LIBC = NativeLibrary.libc();
    private static final NativeFunction EVENTFD = LIBC.intFunction("eventfd", 2);
    private static final NativeFunction WRITE = LIBC.pointerFunction("write", 3);
    private static final NativeFunction CLOSE = LIBC.intFunction("close", 1);
    private static final int EFD_CLOEXEC = 0x80000;

    private final int fd;

    /** Makes a descriptor that is not signalled. */
    public EventDescriptor() {
        fd = EVENTFD.descriptor(0, EFD_CLOEXEC);
    }

    int fd() {
        return fd;
    }

    /** Signals it: ends all present and later waits for it. May be called on any thread. */
    public void tell() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
            WRITE.call(fd, one.address(), Long.BYTES);
        }
    }

    /** Closes the descriptor. No thread may wait for it any more. */
    @Override
    public void close() {
        CLOSE.call(fd);
    }
}
