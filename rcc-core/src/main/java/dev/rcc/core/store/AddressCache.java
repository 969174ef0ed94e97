package dev.rcc.core.store;

import dev.rcc.core.memory.RemoteAddress;

/**
 * A worker's cache of tuple addresses, so that the index is read once and not for every access (rcc, 4.2). Direct-mapped
 * by key hash: a newer key replaces an older one. What it returns is a hint, to be checked against the key in the tuple.
 * Used on its worker only; allocates nothing after construction.
 */
public final class AddressCache {
    /** Pairs of a hash and an address, side by side so that a look-up touches one cache line. */
    private final long[] pairs;

    private final int mask;

    /**
     * Creates an empty cache.
     *
     * @param entries how many addresses it holds, rounded up to a power of two, 1 to 2^28
     */
    public AddressCache(int entries) {
        if (entries < 1 || entries > 1 << 28) {
            throw new IllegalArgumentException("an address cache holds 1 to " + (1 << 28) + " entries, got " + entries);
        }
        int size = entries == 1 ? 1 : Integer.highestOneBit(entries - 1) << 1;
        pairs = new long[2 * size];
        mask = size - 1;
        clear();
    }

    /** The address remembered for a key, or {@link RemoteAddress#NONE}. */
    public long get(int table, long keyHash) {
        long hash = hash(table, keyHash);
        int i = index(hash);
        return pairs[i] == hash ? pairs[i + 1] : RemoteAddress.NONE;
    }

    /** Remembers an address. */
    public void put(int table, long keyHash, long address) {
        long hash = hash(table, keyHash);
        int i = index(hash);
        pairs[i] = hash;
        pairs[i + 1] = address;
    }

    /** Forgets a key's address. */
    public void remove(int table, long keyHash) {
        long hash = hash(table, keyHash);
        int i = index(hash);
        if (pairs[i] == hash) {
            pairs[i + 1] = RemoteAddress.NONE;
        }
    }

    /** Forgets everything. */
    public void clear() {
        for (int i = 1; i < pairs.length; i += 2) {
            pairs[i] = RemoteAddress.NONE;
        }
    }

    private int index(long hash) {
        return ((int) hash & mask) << 1;
    }

    private static long hash(int table, long keyHash) {
        return keyHash ^ table * 0x9E3779B97F4A7C15L;
    }
}
