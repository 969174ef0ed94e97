package dev.rcc.bench.history;

import java.util.Arrays;

/** A growing array of numbers. */
final class Longs {
    private long[] values = new long[16];
    private int size;

    void add(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, Ints.grown(size));
        }
        values[size++] = value;
    }

    void set(int index, long value) {
        values[index] = value;
    }

    int size() {
        return size;
    }

    /** The numbers. The array is the internal one if it is full, else a copy. */
    long[] toArray() {
        return size == values.length ? values : Arrays.copyOf(values, size);
    }
}
