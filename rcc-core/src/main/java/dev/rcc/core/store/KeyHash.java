package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;

/**
 * 64-bit hashes of keys, the same on every node. The high bits of a hash choose the partition
 * ({@link dev.rcc.core.cluster.Placement#partition(long)}); {@link #mix} makes independent bits of it for the index. Where something other than the
 * whole key chooses the partition, {@link #within} moves the hash into that partition's range: so the hash alone always determines the partition.
 */
public final class KeyHash {
    private KeyHash() {}

    /** Hashes a 64-bit key. */
    public static long of(long key) {
        return mix(key + 0x9E3779B97F4A7C15L);
    }

    /** Hashes a byte-string key that lies zero-padded in memory: {@code keyBytes} bytes, of any length. */
    public static long of(Memory memory, long offset, int keyBytes) {
        long hash = mix(keyBytes + 0x9E3779B97F4A7C15L);
        for (int i = 0; i < keyBytes; i += Memory.WORD_BYTES) {
            hash = mix(hash ^ memory.getLong(offset + i)) + 0xC2B2AE3D27D4EB4FL;
        }
        return mix(hash);
    }

    /**
     * Hashes the first {@code prefixBytes} bytes of a byte-string key that lies zero-padded in memory. Bytes that the key lacks count as zeros.
     *
     * @param keyBytes length of the key
     */
    static long ofPrefix(Memory memory, long offset, int keyBytes, int prefixBytes) {
        long hash = mix(prefixBytes + 0x9E3779B97F4A7C15L);
        for (int i = 0; i < prefixBytes; i += Memory.WORD_BYTES) {
            long word = i < keyBytes ? memory.getLong(offset + i) : 0;
            int excess = i + Memory.WORD_BYTES - prefixBytes;
            if (excess > 0) {
                word &= -1L >>> (excess * Byte.SIZE); // memory is little-endian: the first bytes are the low ones
            }
            hash = mix(hash ^ word) + 0xC2B2AE3D27D4EB4FL;
        }
        return mix(hash);
    }

    /**
     * A hash that chooses a given partition, made of one that may choose any. It has fewer bits that differ from key to key, by the bits that choose
     * a partition; so two keys with different hashes may get the same one.
     *
     * @param partitions number of partitions, 1 to 2^16
     */
    public static long within(long keyHash, int partition, int partitions) {
        long first = Math.ceilDiv((long) partition << Integer.SIZE, partitions);
        long width = ((long) (partition + 1) << Integer.SIZE) / partitions - first;
        return (first << Integer.SIZE)
                + (width == 1L << Integer.SIZE ? keyHash : Math.unsignedMultiplyHigh(keyHash, width << Integer.SIZE));
    }

    /** The 64-bit key whose hash this is: the inverse of {@link #of(long)}. */
    public static long inverseOf(long keyHash) {
        long z =
                (keyHash ^ (keyHash >>> 31) ^ (keyHash >>> 62)) * 0x319642B2D24D8EC3L; // inverses of the factors in mix
        z = (z ^ (z >>> 27) ^ (z >>> 54)) * 0x96DE1B173F119089L;
        return (z ^ (z >>> 30) ^ (z >>> 60)) - 0x9E3779B97F4A7C15L;
    }

    /** A bijective finalizer with full avalanche (variant 13 of Stafford's mixers, as in SplitMix64). */
    public static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
