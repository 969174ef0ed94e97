package dev.rcc.core.store;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.memory.Memory;

/**
 * How the records of a table are distributed over the partitions. The same on every node; clients have it, too, so that they begin at the node of a
 * record.
 *
 * @param rule the rule that decides
 * @param prefixBytes the number of bytes of the key's beginning that decide; 0 unless the rule uses a prefix
 */
public record Distribution(Rule rule, int prefixBytes) {
    /** By the hash of the whole key. */
    public static final Distribution BY_KEY = new Distribution(Rule.KEY, 0);
    /** A copy of each record in every partition. */
    public static final Distribution REPLICATED = new Distribution(Rule.REPLICATED, 0);

    /** The rule that decides where a record is. */
    public enum Rule {
        /** The hash of its key. */
        KEY,
        /** The hash of its key's prefix: records whose keys begin alike are in one partition. */
        PREFIX,
        /** Its key's prefix as a number, modulo the number of partitions: as {@link #PREFIX}, and numbers in a row take the partitions in turn. */
        MODULO,
        /** Nothing: each record is in every partition. */
        REPLICATED
    }

    /** Checks that a prefix has bytes if and only if the rule uses one. */
    public Distribution {
        boolean hasPrefix = rule == Rule.PREFIX || rule == Rule.MODULO;
        if (hasPrefix ? prefixBytes < 1 : prefixBytes != 0) {
            throw new IllegalArgumentException(
                    "a table is distributed by " + (hasPrefix ? "at least one byte" : "no bytes")
                            + " of its keys under the rule " + rule + ", got " + prefixBytes);
        }
    }

    /** Whether the beginning of a key decides, so that records whose keys begin alike are in one partition. */
    public boolean isByPrefix() {
        return prefixBytes > 0;
    }

    /** Whether each record is in every partition. */
    public boolean isReplicated() {
        return rule == Rule.REPLICATED;
    }

    /** Most bytes of a prefix, of keys of this kind and limit. */
    int maxPrefixBytes(KeyKind keyKind, int keyBytes) {
        return rule == Rule.MODULO || keyKind == KeyKind.LONG ? Math.min(keyBytes, Long.BYTES) : keyBytes;
    }

    /** The partition of a 64-bit key by its prefix; the key's bytes count from the most significant one. */
    int partition(long key, int partitions) {
        long prefix = key >>> (Long.SIZE - prefixBytes * Byte.SIZE);
        return rule == Rule.MODULO
                ? (int) Long.remainderUnsigned(prefix, partitions)
                : Placement.partition(KeyHash.of(prefix), partitions);
    }

    /** The partition of a byte string that lies zero-padded in memory, by its prefix; a shorter byte string is followed by zeros. */
    int partition(Memory memory, long offset, int keyBytes, int partitions) {
        if (rule == Rule.MODULO) {
            long first = Long.reverseBytes(memory.getLong(offset)); // memory is little-endian
            return (int) Long.remainderUnsigned(first >>> (Long.SIZE - prefixBytes * Byte.SIZE), partitions);
        }
        return Placement.partition(KeyHash.ofPrefix(memory, offset, keyBytes, prefixBytes), partitions);
    }
}
