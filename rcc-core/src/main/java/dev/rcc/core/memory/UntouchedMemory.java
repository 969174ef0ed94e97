package dev.rcc.core.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Zeroed memory that costs nothing until it is touched: the C library's {@code calloc} takes large pieces from the system, whose pages are zero and
 * take no memory before they are written. {@link Arena#allocate} writes zeros to all of them itself.
 */
@SuppressWarnings("restricted") // two functions of the C library; the launcher allows native access
final class UntouchedMemory {
    private static final Linker LINKER = Linker.nativeLinker();
    // void *calloc(size_t count, size_t bytes); void free(void *memory);
    private static final MethodHandle CALLOC = function(
            "calloc", FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE = function("free", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));

    private UntouchedMemory() {}

    private static MethodHandle function(String name, FunctionDescriptor signature) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), signature);
    }

    /**
     * Allocates zeroed bytes that live as long as {@code arena}.
     *
     * @param alignment of the first byte, a power of two
     * @throws OutOfMemoryError when the system has no address space for them
     */
    static MemorySegment allocate(Arena arena, long bytes, int alignment) {
        MemorySegment allocated;
        try {
            allocated = (MemorySegment) CALLOC.invokeExact(1L, bytes + alignment);
        } catch (Throwable e) {
            throw unexpected(e);
        }
        if (allocated.address() == 0) {
            throw new OutOfMemoryError("the system has no room for a region of " + bytes + " bytes");
        }
        long aligned = (allocated.address() + alignment - 1) & -alignment;
        return allocated
                .reinterpret(bytes + alignment, arena, UntouchedMemory::free)
                .asSlice(aligned - allocated.address(), bytes);
    }

    private static void free(MemorySegment allocated) {
        try {
            FREE.invokeExact(allocated);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static IllegalStateException unexpected(Throwable e) {
        return new IllegalStateException("a function of the C library threw", e);
    }
}
