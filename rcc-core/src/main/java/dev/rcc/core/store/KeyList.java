package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;
import java.util.Arrays;

/** A list of keys of one kind, for the code that loads or checks a table's ordered index. Used by one thread. */
public final class KeyList {
    private static final int INITIAL = 16;

    private final KeyKind kind;
    private long[] numbers = {};
    private byte[][] strings = {};
    private int size;

    /** An empty list. */
    public KeyList(KeyKind kind) {
        this.kind = kind;
    }

    /** A list of 64-bit keys. */
    public static KeyList of(long... keys) {
        KeyList list = new KeyList(KeyKind.LONG);
        list.numbers = keys.clone();
        list.size = keys.length;
        return list;
    }

    /** A list of byte strings, which are not copied. */
    public static KeyList of(byte[]... keys) {
        KeyList list = new KeyList(KeyKind.BYTES);
        list.strings = keys.clone();
        list.size = keys.length;
        return list;
    }

    /** Adds a 64-bit key. */
    public void add(long key) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(INITIAL, 2 * size));
        }
        numbers[size++] = key;
    }

    /** Adds a byte string, which is not copied. */
    public void add(byte[] key) {
        if (size == strings.length) {
            strings = Arrays.copyOf(strings, Math.max(INITIAL, 2 * size));
        }
        strings[size++] = key;
    }

    /** Adds all keys of another list. */
    public void addAll(KeyList other) {
        for (int i = 0; i < other.size; i++) {
            if (kind == KeyKind.LONG) {
                add(other.numbers[i]);
            } else {
                add(other.strings[i]);
            }
        }
    }

    /** Adds the key in a slot. */
    void add(KeySlot slot, Memory memory, long offset) {
        switch (slot) {
            case LongKeySlot s -> add(memory.getLong(offset));
            case ByteKeySlot s -> add(s.key(memory, offset));
        }
    }

    /** Number of keys. */
    public int size() {
        return size;
    }

    /** Puts the keys in the order of {@link KeySlot}. */
    void sort() {
        if (kind == KeyKind.LONG) {
            Arrays.sort(numbers, 0, size);
        } else {
            Arrays.sort(strings, 0, size, Arrays::compareUnsigned);
        }
    }

    /** A copy of the list. */
    KeyList copy() {
        KeyList copy = new KeyList(kind);
        copy.numbers = numbers.clone();
        copy.strings = strings.clone();
        copy.size = size;
        return copy;
    }

    /** Puts a key into a slot. */
    void put(int i, KeySlot slot, Memory memory, long offset) {
        switch (slot) {
            case LongKeySlot s -> memory.putLong(offset, numbers[i]);
            case ByteKeySlot s -> s.put(memory, offset, strings[i]);
        }
    }

    /** The first place where two lists differ, or -1. */
    int mismatch(KeyList other) {
        return kind == KeyKind.LONG
                ? Arrays.mismatch(numbers, 0, size, other.numbers, 0, other.size)
                : Arrays.mismatch(strings, 0, size, other.strings, 0, other.size, Arrays::compareUnsigned);
    }
}
