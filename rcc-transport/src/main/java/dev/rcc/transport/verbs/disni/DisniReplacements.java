package dev.rcc.transport.verbs.disni;

import dev.rcc.transport.verbs.ibv.Errno;
import dev.rcc.transport.verbs.ibv.NativeFunction;
import dev.rcc.transport.verbs.ibv.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The methods that replace those of two of DiSNI's utility classes. Public because DiSNI calls them; not for other callers. */
public final class DisniReplacements {
    private static final Logger LOG = LoggerFactory.getLogger(DisniReplacements.class);
    private static final NativeLibrary LIBC = NativeLibrary.libc();
    private static final NativeFunction SET_AFFINITY = LIBC.intFunction("sched_setaffinity", 3);
    private static final NativeFunction GET_AFFINITY = LIBC.intFunction("sched_getaffinity", 3);
    /** The size of glibc's cpu_set_t. */
    private static final int CPU_SET_BYTES = 128;

    private DisniReplacements() {}

    /** Lets the calling thread run on the processors whose bits are set; 0 or less changes nothing. */
    public static void setAffinity(long processors) {
        if (processors <= 0) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(CPU_SET_BYTES, Long.BYTES);
            set.set(ValueLayout.JAVA_LONG, 0, processors);
            int error = SET_AFFINITY.errorOf(0, CPU_SET_BYTES, set.address());
            if (error != 0) { // an exception would end DiSNI's thread that processes completions
                LOG.warn("event=affinity_failed processors={}: {}", Long.toBinaryString(processors), Errno.text(error));
            }
        }
    }

    /** The first 63 processors that the calling thread may run on, as bits. */
    public static long getAffinity() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(CPU_SET_BYTES, Long.BYTES);
            GET_AFFINITY.call(0, CPU_SET_BYTES, set.address());
            return set.get(ValueLayout.JAVA_LONG, 0) & Long.MAX_VALUE;
        }
    }

    /**
     * The address of a buffer's first byte, whatever its position.
     *
     * @throws IllegalArgumentException when the buffer is on the heap
     */
    public static long getAddress(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException(
                    "RDMA needs a direct buffer (ByteBuffer.allocateDirect), got one on the heap: " + buffer);
        }
        return MemorySegment.ofBuffer(buffer.duplicate().clear()).address();
    }
}
