package dev.rcc.client.wire;

/**
 * Which of a cluster's partitions has a key. A part of the wire protocol since version 2, so that clients can begin where a record is: nodes
 * place records by the same rule, and the page {@code docs/wire-protocol.md} has it. The table has no say in it.
 */
public final class KeyPartition {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long STEP = 0xC2B2AE3D27D4EB4FL;

    private KeyPartition() {}

    /**
     * {@return the number of the partition that has a key, 0 to {@code partitions} - 1}
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

    /** Takes the bytes eight by eight, as little-endian numbers; what is missing of the last eight is zero. */
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
