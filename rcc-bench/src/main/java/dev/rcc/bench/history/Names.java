package dev.rcc.bench.history;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Distinct texts, numbered from 0. Each takes few bytes: a history has millions of keys. */
final class Names {
    private static final int MAX_BYTES = Integer.MAX_VALUE - 64;

    private byte[] bytes = new byte[256];
    private int[] ends = new int[16];
    private int size;
    /** Open addressing: the number of the text plus one; 0 in an empty slot. */
    private int[] table = new int[64];

    int size() {
        return size;
    }

    String get(int number) {
        return new String(bytes, start(number), length(number), StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        return bytes;
    }

    int start(int number) {
        return number == 0 ? 0 : ends[number - 1];
    }

    int length(int number) {
        return ends[number] - start(number);
    }

    int intern(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return intern(utf8, utf8.length);
    }

    /** The number of the text in the first {@code length} bytes; a new one if it has none. */
    int intern(byte[] utf8, int length) {
        int slot = slot(utf8, 0, length);
        if (table[slot] != 0) {
            return table[slot] - 1;
        }
        add(utf8, length);
        table[slot] = size;
        if (size * 2 > table.length) {
            rehash();
        }
        return size - 1;
    }

    /** The number of a text, or -1 if it has none. */
    int find(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return table[slot(utf8, 0, utf8.length)] - 1;
    }

    private void add(byte[] utf8, int length) {
        int start = size == 0 ? 0 : ends[size - 1];
        if (length > MAX_BYTES - start) {
            throw new BadHistory("names: more than 2 GiB in all, allowed: less");
        }
        if (start + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, Math.max(start + length, bytes.length * 3L / 2)));
        }
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, size + (size >> 1));
        }
        System.arraycopy(utf8, 0, bytes, start, length);
        ends[size++] = start + length;
    }

    private void rehash() {
        table = new int[table.length * 2];
        for (int i = 0; i < size; i++) {
            table[slot(bytes, start(i), length(i))] = i + 1;
        }
    }

    /** The slot at which the search for a text begins, in a table whose size is a power of two, {@code mask} + 1: the high bits of a product. */
    static int home(int hash, int mask) {
        return (hash * 0x9E3779B9) >>> Integer.numberOfLeadingZeros(mask);
    }

    private int slot(byte[] text, int from, int length) {
        int hash = length;
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + text[i];
        }
        int mask = table.length - 1;
        int slot = home(hash, mask);
        while (table[slot] != 0) {
            int start = start(table[slot] - 1);
            if (Arrays.equals(bytes, start, ends[table[slot] - 1], text, from, from + length)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
