package dev.rcc.client.wire;

import java.util.Arrays;

/**
 * Computes which of a cluster's partitions has a key. The rule is part of the wire protocol since version 2, so that clients can begin where a
 * record is. Nodes place records by the same rule, which is in the page {@code docs/wire-protocol.md}.
 */
public final class KeyPartition {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long STEP = 0xC2B2AE3D27D4EB4FL;

    /** In place of a partition: the key is in each of them. */
    public static final int ANY = -1;

    private KeyPartition() {}

    /**
     * {@return the number of the partition that has a key of a table, 0 to {@code partitions} - 1, or {@link #ANY}}
     *
     * @param distribution how the table's records are distributed, or null: by the hash of the whole key
     * @param key the key, as the table has it
     * @param partitions the cluster's number of partitions, at least 1
     */
    public static int of(TableAttribute.Distributed distribution, Key key, int partitions) {
        return switch (distribution) {
            case null -> of(key, partitions);
            case TableAttribute.Distributed(var rule, int bytes) ->
                switch (rule) {
                    case PREFIX -> of(prefix(key, bytes), partitions);
                    case MODULO -> (int) Long.remainderUnsigned(number(key, bytes), partitions);
                    case REPLICATED -> ANY;
                };
        };
    }

    /** A key's prefix as a key of its own: the most significant bytes as a number, or the first bytes, with zeros in place of missing bytes. */
    private static Key prefix(Key key, int bytes) {
        return switch (key) {
            case Key.OfLong number -> Key.of(number(number, bytes));
            case Key.OfBytes string -> Key.of(Arrays.copyOf(string.value().unsafeArray(), bytes));
        };
    }

    /** A key's prefix as a number, big-endian, of at most 8 bytes. */
    private static long number(Key key, int bytes) {
        long first = switch (key) {
            case Key.OfLong number -> number.value();
            case Key.OfBytes string -> Long.reverseBytes(word(string.value().unsafeArray(), 0));
        };
        return first >>> (Long.SIZE - bytes * Byte.SIZE);
    }

    /**
     * {@return the number of the partition that has a key, 0 to {@code partitions} - 1, where the hash of the whole key decides}
     *
     * @param key the key, as the table has it
     * @param partitions the cluster's number of partitions, at least 1
     */
    public static int of(Key key, int partitions) {
        long hash = switch (key) {
            case Key.OfLong number -> mix(number.value() + GOLDEN);
            case Key.OfBytes string -> hash(string.value().unsafeArray());
        };
        return (int) Math.unsignedMultiplyHigh(hash, partitions);
    }

    /** Hashes the bytes eight by eight, as little-endian numbers; missing bytes of the last eight are zero. */
    private static long hash(byte[] bytes) {
        long hash = mix(bytes.length + GOLDEN);
        for (int i = 0; i < bytes.length; i += Long.BYTES) {
            hash = mix(hash ^ word(bytes, i)) + STEP;
        }
        return mix(hash);
    }

    private static long word(byte[] bytes, int from) {
        long word = 0;
        for (int i = Math.min(bytes.length, from + Long.BYTES) - 1; i >= from; i--) {
            word = (word << Byte.SIZE) | (bytes[i] & 0xFF);
        }
        return word;
    }

    /** Variant 13 of Stafford's mixers, as in SplitMix64. */
    static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
