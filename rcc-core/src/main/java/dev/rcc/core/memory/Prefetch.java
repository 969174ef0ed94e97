package dev.rcc.core.memory;

import java.util.Arrays;

/**
 * Brings memory that is about to be used into the processor's cache. A processor goes on behind a load that misses its cache, but only for a few
 * hundred instructions: cache misses that lie further apart add up. So the addresses are collected first, and read one right after the other. Then
 * their misses overlap. Reads change nothing, and nothing depends on what they find. Used by one thread; allocates nothing once warm.
 */
public final class Prefetch {
    private static final int INITIAL = 64;
    private static final int LINE_BYTES = 64;
    private static final int LINES_MAX = 8;

    private Memory[] memories = new Memory[INITIAL];
    private long[] offsets = new long[INITIAL];
    private int count;

    @SuppressWarnings("UnusedVariable") // nothing reads it; it keeps the JIT from removing the loads
    private long found;

    /** Nothing is to be fetched yet. */
    public Prefetch() {}

    /** Adds the cache lines of a run of bytes, or the first eight: of more, the processor finds out by itself that they are read in order. */
    public void add(Memory memory, long offset, int bytes) {
        long end = offset + Math.min(bytes, LINES_MAX * LINE_BYTES);
        for (long line = offset; line < end; line = (line & -LINE_BYTES) + LINE_BYTES) {
            add(memory, line);
        }
    }

    /** Adds the cache line of the word at or just before an offset. An offset outside the memory is left out. */
    public void add(Memory memory, long offset) {
        long word = offset & -Memory.WORD_BYTES;
        if (word < 0 || word > memory.size() - Memory.WORD_BYTES) {
            return;
        }
        if (count == offsets.length) {
            memories = Arrays.copyOf(memories, count * 2);
            offsets = Arrays.copyOf(offsets, count * 2);
        }
        memories[count] = memory;
        offsets[count++] = word;
    }

    /** Reads what was added, and forgets it. */
    public void fetch() {
        long sum = 0;
        for (int i = 0, n = count; i < n; i++) {
            sum += memories[i].getLong(offsets[i]);
        }
        found += sum;
        count = 0;
    }

    /** Forgets what was added. */
    public void forget() {
        count = 0;
    }
}
