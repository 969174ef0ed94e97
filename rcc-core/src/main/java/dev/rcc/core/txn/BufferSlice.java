package dev.rcc.core.txn;

import dev.rcc.core.memory.Memory;

/**
 * A coroutine's slice of the node's buffers region, handed out from the front and taken back as a whole at the end of an
 * attempt. Offsets are relative to the region. Used on its coroutine only.
 */
public final class BufferSlice {
    private static final int LINE_BYTES = 64;

    private final Memory memory;
    private long start;
    private final long end;
    private long next;
    /** The end of the bytes that are kept permanently; the bytes between it and {@link #start} are in quarantine. */
    private long kept;

    /**
     * A slice of {@code bytes} bytes from {@code start}, both multiples of 8.
     */
    public BufferSlice(Memory memory, long start, long bytes) {
        if (start < 0
                || bytes < 0
                || start % Memory.WORD_BYTES != 0
                || bytes % Memory.WORD_BYTES != 0
                || start > memory.size() - bytes) {
            throw new IllegalArgumentException(
                    "no such slice of " + memory.size() + " bytes: " + bytes + " bytes from " + start);
        }
        this.memory = memory;
        this.start = start;
        this.end = start + bytes;
        this.next = start;
        this.kept = start;
    }

    /** The whole buffers region. */
    public Memory memory() {
        return memory;
    }

    /** Size of the slice in bytes. */
    public long size() {
        return end - start;
    }

    /**
     * Hands out {@code bytes} bytes, rounded up to words, with their previous contents.
     *
     * @return their offset in the region
     * @throws TransactionTooLarge when the slice has no room for them
     */
    public long allocate(int bytes) {
        assert bytes >= 0 : bytes;
        long offset = next;
        if (bytes > end - offset) { // before rounding, which could overflow
            throw new TransactionTooLarge(
                    "the transaction's data in its coroutine's buffer",
                    offset - start + bytes,
                    size(),
                    "access fewer keys, or raise buffer-bytes");
        }
        next = offset + ((bytes + (Memory.WORD_BYTES - 1L)) & -Memory.WORD_BYTES);
        return offset;
    }

    /**
     * Hands out {@code bytes} bytes, rounded up to words, permanently: {@link #reset} does not take them back.
     *
     * @throws IllegalStateException when other bytes are handed out
     */
    public long keep(int bytes) {
        if (next != start) {
            throw new IllegalStateException("bytes are kept before others are handed out");
        }
        long offset = allocate(bytes);
        start = next;
        kept = next;
        return offset;
    }

    /** Takes back the bytes that were handed out at {@code offset} and after it. */
    public void giveBack(long offset) {
        assert start <= offset && offset <= next : offset;
        next = offset;
    }

    /** Takes back all bytes that are neither kept nor in quarantine. */
    public void reset() {
        next = start;
    }

    /**
     * Withholds the bytes that are handed out now, even after {@link #reset}, until {@link #endQuarantine}: a peer that was given up may still write
     * to them.
     */
    public void quarantine() {
        start = next;
    }

    /**
     * Makes the bytes in quarantine available again: no request writes to them any more.
     *
     * @throws IllegalStateException when other bytes are handed out
     */
    public void endQuarantine() {
        if (next != start) {
            throw new IllegalStateException("a quarantine ends before other bytes are handed out");
        }
        start = kept;
        next = kept;
    }

    /** Rounds up to cache lines; for code that cuts a region into slices. */
    public static long alignToLine(long bytes) {
        return (bytes + (LINE_BYTES - 1)) & -LINE_BYTES;
    }
}
