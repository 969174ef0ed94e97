package dev.rcc.transport.sim;

import dev.rcc.core.memory.Memory;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * The words that a NIC's atomics are changing or wait for: atomics change one word one after the other. There are few words at a time, so a search
 * scans all of them.
 */
final class WordTimes {
    private static final int INITIAL = 16;

    private final LongSupplier now;
    private Memory[] memories = new Memory[INITIAL];
    private long[] offsets = new long[INITIAL];
    /** By word: the time when the last atomic on it ends. */
    private long[] freeNanos = new long[INITIAL];
    /** By word: the time when the atomic that is changing it ends; 0 if there is none. */
    private long[] lockedNanos = new long[INITIAL];

    private int size;

    WordTimes(LongSupplier now) {
        this.now = now;
    }

    /** Has an atomic begin at {@code at}, or when the earlier atomics on its word have ended, if that is later; returns the time. */
    long take(long at, long nanos, Memory memory, long offset) {
        int word = find(memory, offset);
        long begin = Math.max(at, freeNanos[word]);
        freeNanos[word] = begin + nanos;
        return begin;
    }

    void lock(Memory memory, long offset, long untilNanos) {
        int word = find(memory, offset); // may replace the arrays
        lockedNanos[word] = untilNanos;
    }

    void unlock(Memory memory, long offset) {
        lock(memory, offset, 0);
    }

    /** The time until which a word among these bytes is locked; 0 if none is. */
    long lockedUntil(Memory memory, long offset, int bytes) {
        long until = 0;
        for (int i = 0; i < size; i++) {
            if (memories[i] == memory && offset < offsets[i] + Memory.WORD_BYTES && offsets[i] < offset + bytes) {
                until = Math.max(until, lockedNanos[i]);
            }
        }
        return until;
    }

    private int find(Memory memory, long offset) {
        for (int i = 0; i < size; i++) {
            if (offsets[i] == offset && memories[i] == memory) {
                return i;
            }
        }
        if (size == memories.length) {
            forgetPast();
        }
        memories[size] = memory;
        offsets[size] = offset;
        freeNanos[size] = 0;
        lockedNanos[size] = 0;
        return size++;
    }

    /** Drops the words that no atomic is changing or waits for; grows the arrays if more than half of the words remain. */
    private void forgetPast() {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (freeNanos[i] >= now.getAsLong() || lockedNanos[i] > 0) {
                memories[kept] = memories[i];
                offsets[kept] = offsets[i];
                freeNanos[kept] = freeNanos[i];
                lockedNanos[kept] = lockedNanos[i];
                kept++;
            }
        }
        size = kept;
        if (size > memories.length / 2) {
            int more = 2 * memories.length;
            memories = Arrays.copyOf(memories, more);
            offsets = Arrays.copyOf(offsets, more);
            freeNanos = Arrays.copyOf(freeNanos, more);
            lockedNanos = Arrays.copyOf(lockedNanos, more);
        }
    }
}
