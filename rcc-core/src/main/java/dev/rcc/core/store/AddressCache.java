package dev.rcc.core.store;

import dev.rcc.core.memory.RemoteAddress;
import java.util.Arrays;

/**
 * A worker's cache of tuple addresses, so that the index is read once and not for every access (rcc, 4.2). Keys whose hashes choose the same
 * set share its four places; a newer key replaces the one that came first. So a cache with four places for each key misses one key in a
 * thousand, where a direct-mapped one of that size misses one in nine. A result is a hint, to be checked against the key in the tuple. The cache also
 * remembers how deep tables have overflowed, so that a coordinator has room for the buckets that it will read. Used on its worker only; allocates
 * nothing after construction, except where a table overflows for the first time.
 */
public final class AddressCache {
    private static final int WAYS = 4;

    /** Pairs of a hash and an address, side by side so that a look-up touches few cache lines; the pairs of a set in a row. */
    private final long[] pairs;

    private final int setLongs;
    private final int mask;
    /** By table: the deepest segment that a key of the table was found to be in, or to go to. */
    private int[] depths = {};

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
        setLongs = 2 * Math.min(WAYS, size);
        mask = pairs.length - setLongs;
        clear();
    }

    /** The address remembered for a key, or {@link RemoteAddress#NONE}. */
    public long get(int table, long keyHash) {
        long hash = hash(table, keyHash);
        int i = find(hash);
        return i < 0 ? RemoteAddress.NONE : pairs[i + 1];
    }

    /** Remembers an address. */
    public void put(int table, long keyHash, long address) {
        long hash = hash(table, keyHash);
        int i = find(hash);
        if (i < 0) {
            i = set(hash);
            System.arraycopy(pairs, i, pairs, i + 2, freeEnd(i) - i - 2);
            pairs[i] = hash;
        }
        pairs[i + 1] = address;
    }

    /** Forgets a key's address. */
    public void remove(int table, long keyHash) {
        int i = find(hash(table, keyHash));
        if (i >= 0) {
            pairs[i + 1] = RemoteAddress.NONE;
        }
    }

    /** How deep a table is known to have overflowed: the worker has met no deeper leaf of it. */
    public int depth(int table) {
        return table < depths.length ? depths[table] : 0;
    }

    /** Remembers that a table has overflowed that deep, or is about to. */
    public void deepen(int table, int depth) {
        if (table >= depths.length) {
            depths = Arrays.copyOf(depths, table + 1);
        }
        depths[table] = Math.max(depths[table], depth);
    }

    /**
     * Replaces the contents by those of another cache.
     *
     * @throws IllegalArgumentException when the other cache has another size
     */
    public void copy(AddressCache other) {
        if (other.pairs.length != pairs.length) {
            throw new IllegalArgumentException("a cache of " + pairs.length / 2 + " entries cannot copy a cache of "
                    + other.pairs.length / 2 + " entries");
        }
        System.arraycopy(other.pairs, 0, pairs, 0, pairs.length);
        depths = other.depths.clone();
    }

    /** Forgets all addresses. */
    public void clear() {
        for (int i = 1; i < pairs.length; i += 2) {
            pairs[i] = RemoteAddress.NONE;
        }
    }

    /** Where a key's pair is, or -1. */
    private int find(long hash) {
        int set = set(hash);
        for (int i = set; i < set + setLongs; i += 2) {
            if (pairs[i] == hash) {
                return i;
            }
        }
        return -1;
    }

    /** Where the first pair of a set that may be overwritten ends: a pair without an address, else the last, which is the oldest. */
    private int freeEnd(int set) {
        int end = set + 2;
        while (end < set + setLongs && pairs[end - 1] != RemoteAddress.NONE) {
            end += 2;
        }
        return end;
    }

    private int set(long hash) {
        return (int) hash * setLongs & mask;
    }

    private static long hash(int table, long keyHash) {
        return keyHash ^ table * 0x9E3779B97F4A7C15L;
    }
}
