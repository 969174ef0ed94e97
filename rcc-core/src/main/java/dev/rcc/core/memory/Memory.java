package dev.rcc.core.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A run of off-heap bytes with the access modes that concurrency control needs. All offsets are in bytes from the
 * start; words are 64 bits, little-endian on every supported platform, and must be aligned to 8 bytes.
 *
 * <p>Every method may be called on any thread. The plain accessors ({@link #getLong}, {@link #putLong}, {@link #copy})
 * order nothing by themselves; a reader of bytes that another thread writes must be ordered by an acquire on a word
 * that the writer released. Nothing here allocates.
 */
public final class Memory {
    /** Bytes of a word. */
    public static final int WORD_BYTES = Long.BYTES;

    private static final int LINE_BYTES = 64;
    /** From this size on it matters that untouched pages take no memory. */
    private static final long LARGE_BYTES = 1 << 20;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment segment;

    private Memory(MemorySegment segment) {
        this.segment = segment;
    }

    /**
     * Wraps a segment whose address is a multiple of 8.
     *
     * @throws IllegalArgumentException when the segment is on the heap or not aligned
     */
    public static Memory of(MemorySegment segment) {
        if (!segment.isNative() || segment.address() % WORD_BYTES != 0) {
            throw new IllegalArgumentException("memory must be off-heap and aligned to 8 bytes, got " + segment);
        }
        return new Memory(segment);
    }

    /**
     * Allocates {@code bytes} zeroed bytes, aligned to a cache line, that live as long as {@code arena}. In large pieces, untouched pages take no
     * memory.
     */
    public static Memory allocate(Arena arena, long bytes) {
        return new Memory(
                bytes < LARGE_BYTES
                        ? arena.allocate(bytes, LINE_BYTES)
                        : UntouchedMemory.allocate(arena, bytes, LINE_BYTES));
    }

    /** Rounds {@code bytes} up to whole words. */
    public static int alignToWord(int bytes) {
        return (bytes + (WORD_BYTES - 1)) & -WORD_BYTES;
    }

    /** The bytes as a segment, for operations that this class does not offer. */
    public MemorySegment segment() {
        return segment;
    }

    /** Size in bytes. */
    public long size() {
        return segment.byteSize();
    }

    /** Reads a word, plain. */
    public long getLong(long offset) {
        return (long) LONG.get(segment, offset);
    }

    /** Writes a word, plain. */
    public void putLong(long offset, long value) {
        LONG.set(segment, offset, value);
    }

    /** Reads a word; later reads and writes stay behind it. */
    public long getAcquire(long offset) {
        return (long) LONG.getAcquire(segment, offset);
    }

    /** Writes a word; earlier reads and writes stay before it. */
    public void putRelease(long offset, long value) {
        LONG.setRelease(segment, offset, value);
    }

    /** Writes a word with full ordering: visible before anything that this thread does later. */
    public void putVolatile(long offset, long value) {
        LONG.setRelease(segment, offset, value);
        VarHandle.fullFence(); // a volatile write alone lets later plain writes overtake it
    }

    /**
     * Compares and swaps a word atomically, in the order of a volatile access. That is no full fence: on processors other than x86, a later load that
     * is not volatile may be carried out before the swap is seen; {@link #fullFence} prevents that.
     *
     * @return the word found; the swap took place if and only if it equals {@code expected}
     */
    public long compareAndExchange(long offset, long expected, long desired) {
        return (long) LONG.compareAndExchange(segment, offset, expected, desired);
    }

    /** Adds to a word atomically, in the order of {@link #compareAndExchange}, and returns the word found. */
    public long getAndAdd(long offset, long delta) {
        return (long) LONG.getAndAdd(segment, offset, delta);
    }

    /**
     * Keeps this thread's earlier reads before its later reads and writes. A reader that copies a record and then checks
     * that no transaction installed meanwhile puts this fence between the copy and the check.
     */
    public static void loadFence() {
        VarHandle.acquireFence();
    }

    /**
     * Keeps this thread's earlier reads and writes before its later writes. A writer that marks a record as being
     * installed puts this fence between the mark and the bytes.
     */
    public static void storeFence() {
        VarHandle.releaseFence();
    }

    /** Orders all earlier loads and stores before all later ones. */
    public static void fullFence() {
        VarHandle.fullFence();
    }

    /** Copies bytes to {@code target}, not necessarily a word at a time: a copy can be torn. */
    public void copy(long offset, Memory target, long targetOffset, long bytes) {
        MemorySegment.copy(segment, offset, target.segment, targetOffset, bytes);
    }

    /**
     * Copies bytes that other threads may write meanwhile, as a READ does. From an aligned offset on, the words of the first cache line are read in
     * ascending order, each atomically, and before the remaining bytes. Those are read in any order. All are read before any later read.
     */
    public void copyAsRead(long offset, Memory target, long targetOffset, int bytes) {
        int line = 0;
        if ((offset & (WORD_BYTES - 1)) == 0) {
            line = (int) Math.min(bytes & -WORD_BYTES, LINE_BYTES - offset % LINE_BYTES);
            for (int i = 0; i < line; i += WORD_BYTES) {
                target.segment.set(ValueLayout.JAVA_LONG_UNALIGNED, targetOffset + i, getAcquire(offset + i));
            }
        }
        if (line < bytes) {
            copy(offset + line, target, targetOffset + line, bytes - line);
            loadFence();
        }
    }

    /** Sets bytes to zero. */
    public void zero(long offset, long bytes) {
        long words = offset % WORD_BYTES == 0 ? bytes & -WORD_BYTES : 0;
        for (long i = 0; i < words; i += WORD_BYTES) { // a slice to fill would be allocated wherever it isn't inlined
            putLong(offset + i, 0);
        }
        for (long i = words; i < bytes; i++) {
            segment.set(ValueLayout.JAVA_BYTE, offset + i, (byte) 0);
        }
    }

    /** Copies bytes in from a heap array. */
    public void putBytes(long offset, byte[] source, int sourceOffset, int bytes) {
        MemorySegment.copy(source, sourceOffset, segment, ValueLayout.JAVA_BYTE, offset, bytes);
    }

    /** Copies bytes out to a heap array. */
    public void getBytes(long offset, byte[] target, int targetOffset, int bytes) {
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, target, targetOffset, bytes);
    }

    /** Whether {@code bytes} bytes, a multiple of 8, are equal here and in {@code other}. */
    public boolean equalWords(long offset, Memory other, long otherOffset, int bytes) {
        for (int i = 0; i < bytes; i += WORD_BYTES) {
            if (getLong(offset + i) != other.getLong(otherOffset + i)) {
                return false;
            }
        }
        return true;
    }
}
