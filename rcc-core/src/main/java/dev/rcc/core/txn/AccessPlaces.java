package dev.rcc.core.txn;

import java.util.Arrays;

/**
 * Where the accesses of an attempt are, by the hashes of their keys, so that finding one does not go through all of them: an open hash table that is
 * at most half full. An entry counts only with the current stamp, so that forgetting everything is cheap. Allocates only to grow.
 */
final class AccessPlaces {
    private static final int STAMP_SHIFT = 32;

    private long[] entries = new long[64];
    private int mask = entries.length - 1;
    private int stamp = 1;

    /** Forgets everything, and makes room for {@code size} accesses and as many more. */
    void clear(int size) {
        if (2 * size >= entries.length) {
            entries = new long[Integer.highestOneBit(size) * 8];
            mask = entries.length - 1;
        }
        if (++stamp == 0) {
            Arrays.fill(entries, 0);
            stamp = 1;
        }
    }

    /** Whether the table is half full with {@code size} accesses. */
    boolean isFull(int size) {
        return 2 * size >= entries.length;
    }

    /** The first place where an access of a table's key may be. */
    int first(int table, long keyHash) {
        return ((int) keyHash + table) & mask;
    }

    /** The place to look at after another. */
    int next(int place) {
        return (place + 1) & mask;
    }

    /** The number of the access at a place, or -1. */
    int at(int place) {
        long entry = entries[place];
        return (int) (entry >>> STAMP_SHIFT) == stamp ? (int) entry : -1;
    }

    /** Adds an access that is not there. */
    void put(int table, long keyHash, int number) {
        int place = first(table, keyHash);
        while (at(place) >= 0) {
            place = next(place);
        }
        entries[place] = (long) stamp << STAMP_SHIFT | number;
    }
}
