package dev.rcc.bench.history;

import java.util.Arrays;

/** A growing array of numbers. */
final class Ints {
    private int[] values = new int[16];
    private int size;

    void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, grown(size));
        }
        values[size++] = value;
    }

    int size() {
        return size;
    }

    int[] toArray() {
        return Arrays.copyOf(values, size);
    }

    /** The new length for a full array of {@code size} elements. */
    static int grown(int size) {
        long wanted = Math.min(Integer.MAX_VALUE - 8L, size + (size >> 1) + 1L);
        if (wanted <= size) {
            throw new BadHistory("history: more than " + size + " elements of a kind, allowed: fewer");
        }
        return (int) wanted;
    }
}
