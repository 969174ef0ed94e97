package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.store.KeyHash;
import java.nio.charset.StandardCharsets;

/**
 * Random contents of a row (4.3.2), drawn from a seed, the row's table and its key. So a row is the same on every node, and in whatever order
 * rows are made. For one thread; allocates nothing.
 */
final class RowRandom {
    /** Letters and digits; two letters are drawn twice as often as others, so that a character takes six bits. */
    private static final byte[] ALPHABET =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789aA".getBytes(StandardCharsets.US_ASCII);

    private static final int CHARACTER_BITS = 6;
    private static final int CHARACTERS = Long.SIZE / CHARACTER_BITS;
    private static final byte[] ORIGINAL = "ORIGINAL".getBytes(StandardCharsets.US_ASCII);
    private static final int ORIGINAL_PERCENT = 10;
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private final long seed;
    private long state;

    RowRandom(long seed) {
        this.seed = KeyHash.mix(seed);
    }

    /** Begins a row. */
    RowRandom of(int table, long key) {
        state = KeyHash.mix(KeyHash.mix(seed + table) ^ key);
        return this;
    }

    /** A number from {@code min} to {@code max}. */
    int between(int min, int max) {
        return min + (int) Math.unsignedMultiplyHigh(next(), (long) max - min + 1);
    }

    /** True in {@code percent} of a hundred cases. */
    boolean happens(int percent) {
        return between(1, 100) <= percent;
    }

    /** Writes a drawn number of letters and digits, and zeros behind them, into {@code max} bytes. Returns the number of letters and digits. */
    int text(int min, int max, byte[] target, int offset) {
        int length = between(min, max);
        long bits = 0;
        for (int i = 0; i < length; i++) {
            if (i % CHARACTERS == 0) {
                bits = next();
            }
            target[offset + i] = ALPHABET[(int) bits & (ALPHABET.length - 1)];
            bits >>>= CHARACTER_BITS;
        }
        for (int i = length; i < max; i++) {
            target[offset + i] = 0;
        }
        return length;
    }

    /** Writes {@code count} digits. */
    void digits(int count, byte[] target, int offset) {
        for (int i = 0; i < count; i++) {
            target[offset + i] = (byte) ('0' + between(0, 9));
        }
    }

    /** Writes I_DATA or S_DATA: 10 % of the rows contain ORIGINAL somewhere. */
    void data(byte[] target, int offset) {
        int length = text(26, ItemLayout.DATA_BYTES, target, offset);
        if (happens(ORIGINAL_PERCENT)) {
            int place = between(0, length - ORIGINAL.length);
            System.arraycopy(ORIGINAL, 0, target, offset + place, ORIGINAL.length);
        }
    }

    /** Whether ORIGINAL is in I_DATA or S_DATA. */
    static boolean isOriginal(byte[] data) {
        for (int i = 0; i <= data.length - ORIGINAL.length; i++) {
            int j = 0;
            while (j < ORIGINAL.length && data[i + j] == ORIGINAL[j]) {
                j++;
            }
            if (j == ORIGINAL.length) {
                return true;
            }
        }
        return false;
    }

    /** Writes an address (4.3.3.1): a zip code is four digits and 11111. */
    void address(byte[] target, int offset) {
        text(10, AddressLayout.STREET_BYTES, target, offset + AddressLayout.STREET_1);
        text(10, AddressLayout.STREET_BYTES, target, offset + AddressLayout.STREET_2);
        text(10, AddressLayout.CITY_BYTES, target, offset + AddressLayout.CITY);
        text(AddressLayout.STATE_BYTES, AddressLayout.STATE_BYTES, target, offset + AddressLayout.STATE);
        digits(4, target, offset + AddressLayout.ZIP);
        for (int i = 4; i < AddressLayout.ZIP_BYTES; i++) {
            target[offset + AddressLayout.ZIP + i] = '1';
        }
    }

    private long next() {
        state += GAMMA;
        return KeyHash.mix(state);
    }
}
