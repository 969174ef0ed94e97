package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;

/**
 * 64-bit hashes of keys, the same on every node. The high bits of a hash choose the partition
 * ({@link dev.rcc.core.cluster.Placement#partition}); {@link #mix} makes independent bits of it for the index.
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

    /** A bijective finalizer with full avalanche (variant 13 of Stafford's mixers, as in SplitMix64). */
    public static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
